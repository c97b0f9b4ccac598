// Without a prototype.
// expect: safe
// assumes-not: another
#include <assert.h>
char *malloc();
int printf();
int main(void) {
    char *p = malloc(1ul);
    *p = 1;
    printf("x");
    assert(*p == 1);
    return 0;
}
