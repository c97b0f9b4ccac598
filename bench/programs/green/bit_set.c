// A set of small numbers as bits of words.
// expect: safe
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define SIZE 96
#define WORD 32
#define STEPS 3

static uint32_t words[SIZE / WORD];

static void set(unsigned n)
{
    words[n / WORD] |= UINT32_C(1) << (n % WORD);
}

static void clear(unsigned n)
{
    words[n / WORD] &= ~(UINT32_C(1) << (n % WORD));
}

static bool test(unsigned n)
{
    return words[n / WORD] >> (n % WORD) & 1;
}

int main(void)
{
    unsigned other = __VERIFIER_nondet_uint();

    if (other >= SIZE)
        return 0;
    for (int i = 0; i < STEPS; i++) {
        unsigned n = __VERIFIER_nondet_uint();
        bool before;
        if (n >= SIZE || n == other)
            continue;
        before = test(other);
        set(n);
        assert(test(n));
        assert(test(other) == before);
        if (i == 1) {
            clear(n);
            assert(!test(n));
        }
    }
    assert(!test(other));
    return 0;
}
