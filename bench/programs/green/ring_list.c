// A circular list with links in both directions.
// expect: safe
#include <assert.h>
#include <stddef.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define COUNT 4

struct link {
    struct link *prev, *next;
    int value;
};

static void init(struct link *head)
{
    head->prev = head->next = head;
    head->value = 0;
}

static void add_tail(struct link *head, struct link *fresh)
{
    fresh->prev = head->prev;
    fresh->next = head;
    head->prev->next = fresh;
    head->prev = fresh;
}

static void unlink_one(struct link *l)
{
    l->prev->next = l->next;
    l->next->prev = l->prev;
    l->prev = l->next = NULL;
}

int main(void)
{
    struct link head, links[COUNT];
    unsigned gone = __VERIFIER_nondet_uint();
    int sum = 0, back = 0;

    if (gone >= COUNT)
        return 0;
    init(&head);
    for (int i = 0; i < COUNT; i++) {
        links[i].value = 1 << i;
        add_tail(&head, &links[i]);
    }
    unlink_one(&links[gone]);
    for (struct link *l = head.next; l != &head; l = l->next)
        sum += l->value;
    for (struct link *l = head.prev; l != &head; l = l->prev)
        back += l->value;
    assert(sum == 15 - (1 << gone));
    assert(back == sum);
    return 0;
}
