// A cache of one entry in a global: what is replaced is freed, what is left at the end is still known.
// expect: safe
// check: memory,leak
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    int key;
    int *data;
};

static struct entry *cached;

static struct entry *look_up(int key)
{
    if (cached && cached->key == key)
        return cached;
    if (cached) {
        free(cached->data);
        free(cached);
    }
    cached = malloc(sizeof *cached);
    if (!cached)
        abort();
    cached->key = key;
    cached->data = malloc(4 * sizeof *cached->data);
    if (!cached->data)
        abort();
    cached->data[0] = key;
    return cached;
}

int main(void)
{
    int sum = 0;

    for (int i = 0; i < 4; i++)
        sum += look_up(__VERIFIER_nondet_int() & 1)->data[0];
    return sum > 4;
}
