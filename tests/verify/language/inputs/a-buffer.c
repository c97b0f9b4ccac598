// A buffer.
// expect: unsafe 9
// assumes: nondet_fill
#include <assert.h>
void *nondet_fill(char *b);
int main(void) {
    char b[2] = "a";
    nondet_fill(b);
    assert(b[0] == 'a');
    return 0;
}
