// Hook sqrt.
// expect: safe
#include <assert.h>
#include <math.h>
int main(void) {
    double (*f)(double) = sqrt;
    assert(f(4) == 2);
    return 0;
}
