// A table of rows, each of which owns a buffer; that of the last row is forgotten.
// expect: unsafe 47
// check: memory,leak,cleanup
// object: heap
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct row {
    unsigned length;
    int *cells;
};

struct table {
    unsigned count;
    struct row rows[4];
};

static void fill(struct table *t, unsigned count)
{
    t->count = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned length = __VERIFIER_nondet_uint() % 3;

        t->rows[i].length = length;
        t->rows[i].cells = length ? calloc(length, sizeof(int)) : NULL;
        t->count++;
    }
}

static void clear(struct table *t)
{
    for (unsigned i = 0; i + 1 < t->count; i++)
        free(t->rows[i].cells);
    t->count = 0;
}

int main(void)
{
    struct table t;
    unsigned count = __VERIFIER_nondet_uint();

    if (count > 4)
        return 1;
    fill(&t, count);
    clear(&t);
    return 0;
}
