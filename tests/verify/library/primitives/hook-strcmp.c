// Hook strcmp.
// expect: safe
#include <assert.h>
#include <string.h>
int main(void) {
    int (*f)(const char *, const char *) = strcmp;
    assert(f("a", "b") < 0);
    return 0;
}
