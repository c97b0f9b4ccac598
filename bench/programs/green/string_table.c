// A hash table of strings, with lists.
// expect: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);

struct kv {
    char *key;
    int val;
    struct kv *next;
};

struct tab {
    struct kv *b[4];
    size_t n;
};

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h;
}

static char *dup(const char *s)
{
    size_t n = strlen(s) + 1;
    char *p = malloc(n);
    return p ? memcpy(p, s, n) : NULL;
}

static int set(struct tab *t, const char *k, int v)
{
    struct kv **pp = &t->b[hash(k) % 4];
    for (; *pp; pp = &(*pp)->next)
        if (!strcmp((*pp)->key, k)) {
            (*pp)->val = v;
            return 0;
        }
    struct kv *e = malloc(sizeof *e);
    if (!e)
        return -1;
    if (!(e->key = dup(k))) {
        free(e);
        return -1;
    }
    e->val = v;
    e->next = NULL;
    *pp = e;
    t->n++;
    return 1;
}

static int *get(struct tab *t, const char *k)
{
    for (struct kv *e = t->b[hash(k) % 4]; e; e = e->next)
        if (!strcmp(e->key, k))
            return &e->val;
    return NULL;
}

static void clear(struct tab *t)
{
    for (int i = 0; i < 4; i++)
        while (t->b[i]) {
            struct kv *e = t->b[i];
            t->b[i] = e->next;
            free(e->key);
            free(e);
        }
    t->n = 0;
}

int main(void)
{
    struct tab t = {0};
    char a[3], b[3];
    for (int i = 0; i < 2; i++) {
        a[i] = __VERIFIER_nondet_char();
        b[i] = __VERIFIER_nondet_char();
    }
    a[2] = b[2] = 0;
    if (set(&t, a, 1) >= 0 && set(&t, b, 2) >= 0) {
        int *x = get(&t, a), *y = get(&t, b);
        assert(x && y && *y == 2);
        assert(*x == (strcmp(a, b) ? 1 : 2));
        assert(t.n == (strcmp(a, b) ? 2 : 1));
    }
    clear(&t);
}
