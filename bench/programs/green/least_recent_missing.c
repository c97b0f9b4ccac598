// A cache that uses what it did not find.
// expect: unsafe 52
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
#define CAP 3

struct entry {
    int key, value;
    unsigned stamp;
    bool used;
};

struct cache {
    struct entry e[CAP];
    unsigned clock;
};

static struct entry *find(struct cache *c, int key)
{
    for (size_t i = 0; i < CAP; i++)
        if (c->e[i].used && c->e[i].key == key)
            return &c->e[i];
    return NULL;
}

static void put(struct cache *c, int key, int value)
{
    struct entry *e = find(c, key);
    if (!e) {
        e = &c->e[0];
        for (size_t i = 0; i < CAP; i++) {
            if (!c->e[i].used) {
                e = &c->e[i];
                break;
            }
            if (c->e[i].stamp < e->stamp)
                e = &c->e[i];
        }
    }
    e->key = key;
    e->value = value;
    e->used = true;
    e->stamp = ++c->clock;
}

static bool get(struct cache *c, int key, int *out)
{
    struct entry *e = find(c, key);
    e->stamp = ++c->clock;
    *out = e->value;
    return true;
}

int main(void)
{
    struct cache c;
    memset(&c, 0, sizeof c);
    for (int i = 0; i < 5; i++) {
        int k = __VERIFIER_nondet_int(), v;
        if (k < 0 || k > 9)
            continue;
        put(&c, k, k * k);
        assert(get(&c, k, &v) && v == k * k);
    }
    int v;
    for (int k = 0; k < 10; k++)
        if (get(&c, k, &v))
            assert(v == k * k);
}
