// A variable twice.
// expect: safe
// assumes: left
#include <assert.h>
int main(void) {
    int i = 1;
    int x = i++ + i++;
    assert(x == 3);
    return 0;
}
