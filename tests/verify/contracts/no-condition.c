// What is needed (that two variables grow together) is no condition of the program.
// engine: contracts
// expect: unknown no contracts
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, s = 0;
    while (i < n) {
        i++;
        s += 2;
    }
    assert(s == 2 * n);
}
