// Getline.
// expect: unsafe 10
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
int main(void) {
    char *p = 0;
    size_t n = 0;
    long r = getline(&p, &n, stdin);
    if (r > 0) assert(p[0] != 'x');
    return 0;
}
