// What is not set beside what is, as an index.
// expect: safe
// check: memory
#include <stddef.h>
int nondet_int(void);
static int find(size_t *at) {
    if (nondet_int() != 3) return 0;
    *at = (size_t)nondet_int() % 4;
    return 1;
}
int main(void) {
    char a[4] = "abc";
    size_t at;
    if (find(&at)) return a[at];
    return 0;
}
