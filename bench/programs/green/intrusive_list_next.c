// A list whose next link is read after its item was freed.
// expect: unsafe 34
#include <assert.h>
#include <stdlib.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

struct list {
    struct list *prev, *next;
};

struct item {
    int v;
    struct list link;
};

#define item_of(p) ((struct item *)((char *)(p) - offsetof(struct item, link)))

static void init(struct list *l)
{
    l->prev = l->next = l;
}

static void add_tail(struct list *l, struct list *n)
{
    n->prev = l->prev;
    n->next = l;
    l->prev->next = n;
    l->prev = n;
}

static void del(struct list *n)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
    n->prev = n->next = NULL;
}

int main(void)
{
    struct list l;
    init(&l);
    int sum = 0, seen = 0;
    for (int i = 0; i < 4; i++) {
        struct item *it = malloc(sizeof *it);
        if (!it)
            break;
        it->v = __VERIFIER_nondet_int() & 15;
        sum += it->v;
        add_tail(&l, &it->link);
    }
    for (struct list *p = l.next, *n; p != &l; p = n) {
        n = p->next;
        struct item *it = item_of(p);
        seen += it->v;
        free(it);
        del(p);
    }
    assert(seen == sum);
    assert(l.next == &l && l.prev == &l);
}
