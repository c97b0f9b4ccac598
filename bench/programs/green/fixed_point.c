// Arithmetic on fixed-point numbers with 16 bits behind the point.
// expect: safe
#include <assert.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);

typedef int32_t fixed;

#define ONE 65536
#define LARGEST (100 * ONE)

static fixed from_int(int n)
{
    return n * ONE;
}

static fixed multiply(fixed a, fixed b)
{
    return (fixed)((int64_t)a * b / ONE);
}

static fixed clamp(fixed value, fixed least, fixed most)
{
    if (value < least)
        return least;
    return value > most ? most : value;
}

static fixed halve(fixed a)
{
    return multiply(a, ONE / 2);
}

int main(void)
{
    fixed level = __VERIFIER_nondet_int();
    fixed half;

    level = clamp(level, 0, LARGEST);
    half = halve(level);
    assert(half >= 0 && half <= LARGEST / 2);
    assert(level - 2 * half <= 1);
    assert(multiply(from_int(3), from_int(4)) == from_int(12));
    return 0;
}
