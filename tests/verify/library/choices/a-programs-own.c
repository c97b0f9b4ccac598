// A program's own.
// expect: safe
// assumes-not: open
#include <assert.h>
int strcmp(const char *a, const char *b) { return *a - *b; }
int main(void) {
    assert(strcmp("a", "c") < 0);
    return 0;
}
