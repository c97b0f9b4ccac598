// Asprintf.
// expect: safe
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
int main(void) {
    char *p;
    int n = asprintf(&p, "%d", 123);
    if (n >= 0) {
        assert(n == 3);
        assert(p[2] == '3');
    }
    return 0;
}
