// A lower bound by bisection, with a midpoint that cannot overflow.
// expect: safe
#include <assert.h>
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

/* The first index in [low, high) that is not below the key. */
static int lower_bound(int low, int high, int key)
{
    int rounds = 0;

    while (low < high && rounds < 33) {
        int middle = low + (int)(((unsigned)high - (unsigned)low) / 2);
        if (middle < key)
            low = middle + 1;
        else
            high = middle;
        rounds++;
    }
    return low;
}

int main(void)
{
    int size = __VERIFIER_nondet_int();
    int key = __VERIFIER_nondet_int();

    if (size < 0)
        return 0;
    if (size > 15 && size < INT_MAX - 15)
        return 0;
    if (size > 15) {
        int found = lower_bound(size - 15, size, key);
        assert(found >= size - 15 && found <= size);
    } else {
        int found = lower_bound(0, size, key);
        assert(found >= 0 && found <= size);
        if (key >= 0 && key <= size)
            assert(found == key);
    }
    return 0;
}
