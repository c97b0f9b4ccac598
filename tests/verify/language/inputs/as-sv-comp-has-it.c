// As SV-COMP has it.
// expect: safe
// args: --unknown-functions pure
// assumes: nondet_fill
#include <assert.h>
void *nondet_fill(char *b);
int main(void) {
    char b[2] = "a";
    nondet_fill(b);
    assert(b[0] == 'a');
    return 0;
}
