// Strlen of another type.
// expect: unsafe 11
// says: 'strlen'
// says: another
// says: type
#include <assert.h>
int strlen(int *);
int main(void) {
    int x = 1;
    strlen(&x);
    assert(x == 1);
    return 0;
}
