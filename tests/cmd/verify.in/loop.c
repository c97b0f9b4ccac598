#include <assert.h>

unsigned nondet_uint(void);

int main(void) {
    unsigned n = nondet_uint(), sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += 2;
    assert(sum % 2 == 0);
    return 0;
}
