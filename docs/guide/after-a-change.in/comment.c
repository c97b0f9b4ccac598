#include <assert.h>

int __VERIFIER_nondet_int(void);

/* The sensor gives 0 to 100; everything else is noise. */
static int clamp(int x) {
    if (x < 0)
        return 0;
    return x > 100 ? 100 : x;
}

static int sum(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += clamp(a[i]);
    return s;
}

int main(void) {
    int a[8];
    for (int i = 0; i < 8; i++)
        a[i] = __VERIFIER_nondet_int();
    assert(sum(a, 8) <= 800);
    return 0;
}
