// A hash table whose slots are computed with a signed remainder.
// expect: unsafe 31
#include <assert.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);

#define SLOTS 8
#define KEYS 3

struct entry {
    bool used;
    int key;
    int value;
};

static struct entry table[SLOTS];

static int slot_of(int key)
{
    return key % SLOTS;
}

/* The entry of a key, or the free one where it belongs; NULL if the table is full. */
static struct entry *find(int key)
{
    int slot = slot_of(key);

    for (int i = 0; i < SLOTS; i++) {
        int at = (slot + i) % SLOTS;
        if (!table[at].used || table[at].key == key)
            return &table[at];
    }
    return 0;
}

static bool put(int key, int value)
{
    struct entry *e = find(key);

    if (!e)
        return false;
    e->used = true;
    e->key = key;
    e->value = value;
    return true;
}

int main(void)
{
    int keys[KEYS];

    for (int i = 0; i < KEYS; i++) {
        keys[i] = __VERIFIER_nondet_int();
        assert(put(keys[i], i));
    }
    for (int i = 0; i < KEYS; i++) {
        struct entry *e = find(keys[i]);
        assert(e && e->used && e->value >= i);
        assert(keys[e->value] == keys[i]);
    }
    return 0;
}
