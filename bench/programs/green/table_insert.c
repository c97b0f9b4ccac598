// Keeps a table sorted while numbers are inserted.
// expect: safe
#include <assert.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);

#define ROOM 5

struct table {
    int count;
    int *item;
};

static bool insert(struct table *t, int value)
{
    int at;

    if (t->count == ROOM)
        return false;
    for (at = t->count; at > 0 && t->item[at - 1] > value; at--)
        t->item[at] = t->item[at - 1];
    t->item[at] = value;
    t->count++;
    return true;
}

static bool sorted(const struct table *t)
{
    for (int i = 1; i < t->count; i++)
        if (t->item[i - 1] > t->item[i])
            return false;
    return true;
}

int main(void)
{
    int items[ROOM];
    struct table t = {0, items};

    for (int i = 0; i < ROOM; i++) {
        int value = __VERIFIER_nondet_int();
        assert(insert(&t, value));
        assert(sorted(&t));
    }
    assert(t.count == ROOM);
    assert(!insert(&t, 1));
    return 0;
}
