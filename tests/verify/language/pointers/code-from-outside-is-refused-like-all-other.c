// Code from outside is refused like all other.
// expect: unknown
// args: --unknown-functions refuse
#include <assert.h>
extern void (*hook)(int *);
int main(void) {
    int x = 2;
    if (hook) hook(&x);
    assert(x == 2);
    return 0;
}
