// It holds anything.
// expect: unsafe 6
#include <assert.h>
extern int tab[];
int main(void) {
    assert(tab[0] == 0);
    return 0;
}
