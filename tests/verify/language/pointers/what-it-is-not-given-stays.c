// What it is not given stays.
// expect: safe
// assumes: code that pointers lead to
#include <assert.h>
extern void (*hook)(int *);
int main(void) {
    int x = 2, y = 3;
    if (hook) hook(&x);
    assert(y == 3);
    return 0;
}
