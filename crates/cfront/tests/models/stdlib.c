#include "check.h"
#include <errno.h>
#include <inttypes.h>

MODEL(calloc);
MODEL(reallocarray);
MODEL(abs);
MODEL(labs);
MODEL(llabs);
MODEL(imaxabs);
MODEL(div);
MODEL(ldiv);
MODEL(lldiv);
MODEL(imaxdiv);
MODEL(qsort);
MODEL(qsort_r);
MODEL(bsearch);
MODEL(rand);
MODEL(rand_r);
MODEL(random);
int *m___errno_location(void);

static int given;
static int refused;

int __VERIFIER_nondet_int(void)
{
    return given;
}

void __VERIFIER_assume(int condition)
{
    refused = !condition;
}

static int by_first(const void *a, const void *b)
{
    return *(const signed char *)a - *(const signed char *)b;
}

static int by_first_times(const void *a, const void *b, void *factor)
{
    return by_first(a, b) * *(int *)factor;
}

static int by_number(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* Equal keys with different rest show whether the order of equals is kept. */
static void sorting(void)
{
    int n = below(20), size = 1 + below(7);
    char *a = block(n * size), *b = block(n * size);
    for (int i = 0; i < n * size; i++)
        a[i] = b[i] = (char)(i % size ? below(256) : below(10) - 5);
    qsort(a, n, size, by_first), m_qsort(b, n, size, by_first);
    CHECK(memcmp(a, b, n * size) == 0, "%d of %d", n, size);
    int factor = below(3) - 1;
    qsort_r(a, n, size, by_first_times, &factor), m_qsort_r(b, n, size, by_first_times, &factor);
    CHECK(memcmp(a, b, n * size) == 0, "%d of %d", n, size);

    int *table = (int *)block(n * sizeof(int)), key = below(30);
    for (int i = 0; i < n; i++)
        table[i] = below(30);
    m_qsort(table, n, sizeof *table, by_number);
    for (int i = 1; i < n; i++)
        CHECK(table[i - 1] <= table[i], "%d", i);
    CHECK(m_bsearch(&key, table, n, sizeof *table, by_number) == bsearch(&key, table, n, sizeof *table, by_number), "%d", key);
    free(a), free(b), free(table);
}

static void dividing(long long x, long long y)
{
    CHECK(m_abs((int)x | 1) == abs((int)x | 1) && m_labs(x | 1) == labs(x | 1), "%lld", x);
    CHECK(m_llabs(x | 1) == llabs(x | 1) && m_imaxabs(x | 1) == imaxabs(x | 1), "%lld", x);
    if ((int)y != 0 && (int)y != -1) {
        div_t p = div((int)x, (int)y), q = m_div((int)x, (int)y);
        CHECK(p.quot == q.quot && p.rem == q.rem, "%lld %lld", x, y);
    }
    if (y != 0 && y != -1) {
        ldiv_t p = ldiv(x, y), q = m_ldiv(x, y);
        CHECK(p.quot == q.quot && p.rem == q.rem, "%lld %lld", x, y);
        lldiv_t r = lldiv(x, y), s = m_lldiv(x, y);
        CHECK(r.quot == s.quot && r.rem == s.rem, "%lld %lld", x, y);
        imaxdiv_t t = imaxdiv(x, y), u = m_imaxdiv(x, y);
        CHECK(t.quot == u.quot && t.rem == u.rem, "%lld %lld", x, y);
    }
}

static void allocating(void)
{
    for (size_t n = 0; n < 6; n++) {
        for (size_t size = 0; size < 9; size++) {
            char *p = m_calloc(n, size);
            CHECK(p != 0, "%zu %zu", n, size);
            for (size_t i = 0; i < n * size; i++)
                CHECK(p[i] == 0, "%zu", i);
            p = m_reallocarray(p, n + 1, size + 1);
            CHECK(p != 0, "%zu %zu", n, size);
            free(p);
        }
    }
    CHECK(m_calloc(~0ul / 2, 3) == 0 && *m___errno_location() == ENOMEM, "overflow");
    CHECK(m_reallocarray(0, 3, ~0ul / 2) == 0, "overflow");
    CHECK(m_calloc(~0ul, ~0ul) == 0, "overflow");
}

static void random_numbers(void)
{
    unsigned seed = 1;
    int numbers[] = {0, 1, 12345, RAND_MAX};
    for (int i = 0; i < 4; i++) {
        given = numbers[i];
        CHECK(m_rand() == given && !refused, "%d", given);
        CHECK(m_random() == given && !refused, "%d", given);
        CHECK(m_rand_r(&seed) == given && !refused, "%d", given);
    }
    given = -1;
    m_rand();
    CHECK(refused, "rand is not negative");
}

int main(void)
{
    for (int i = 0; i < 5000; i++) {
        sorting();
        dividing((long long)(next_random() << 13 >> below(60)) * (below(2) ? 1 : -1),
                 (long long)(next_random() << 13 >> below(63)) * (below(2) ? 1 : -1));
    }
    allocating();
    random_numbers();
    return finish();
}
