// Open that writes a global.
// expect: unsafe 9
// assumes: open
#include <assert.h>
int g = 1;
void open(int *);
int main(void) {
    open(0);
    assert(g == 1);
    return 0;
}
