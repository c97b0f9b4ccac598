// Fractions in lowest terms, where zero over zero is not refused.
// expect: unsafe 22
#include <assert.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);

#define LIMIT 20

struct fraction {
    int over, under;
};

static int gcd(int a, int b)
{
    return b == 0 ? a : gcd(b, a % b);
}

static struct fraction reduce(struct fraction f)
{
    int g = gcd(f.over < 0 ? -f.over : f.over, f.under);
    f.over /= g;
    f.under /= g;
    return f;
}

static bool valid(struct fraction f)
{
    return f.under >= 0 && f.under <= LIMIT && f.over >= -LIMIT && f.over <= LIMIT;
}

int main(void)
{
    struct fraction f, r;

    f.over = __VERIFIER_nondet_int();
    f.under = __VERIFIER_nondet_int();
    if (!valid(f))
        return 0;
    r = reduce(f);
    assert(r.over * f.under == f.over * r.under);
    assert(r.under <= f.under);
    return 0;
}
