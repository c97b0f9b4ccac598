// A pointer behind an array that is written to.
// expect: safe
// check: memory
#include <assert.h>
unsigned nondet_uint(void);
struct s {
    char c[4];
    int *v;
};
int main(void) {
    int a = 1;
    struct s s = {"", &a};
    unsigned y = nondet_uint() % 3;
    s.c[y] = 'a';
    assert(*s.v == 1);
    return 0;
}
