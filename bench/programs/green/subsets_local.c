// Counts the ways to pay a sum, and uses coins behind the last kind.
// expect: unsafe 20
#include <assert.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define KINDS 3

static const unsigned coins[KINDS] = {5, 2, 1};

static unsigned ways(unsigned sum, unsigned kind)
{
    unsigned found[4] = {0, 0, 0, 0};
    unsigned total = 0;

    if (sum == 0)
        return 1;
    if (kind > KINDS)
        return 0;
    for (unsigned n = 0; n < 4 && n * coins[kind] <= sum; n++)
        found[n] = ways(sum - n * coins[kind], kind + 1);
    for (unsigned n = 0; n < 4; n++)
        total += found[n];
    return total;
}

int main(void)
{
    unsigned sum = __VERIFIER_nondet_uint();

    if (sum > 7)
        return 0;
    unsigned count = ways(sum, 0);
    assert(count >= 1 && count <= 4);
    if (sum == 3)
        assert(count == 2);
    return 0;
}
