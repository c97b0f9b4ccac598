// Reverses a list of a few nodes in place.
// expect: safe
#include <assert.h>
#include <stddef.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define MOST 6

struct node {
    unsigned value;
    struct node *next;
};

static struct node *reverse(struct node *head)
{
    struct node *done = NULL;

    while (head) {
        struct node *next = head->next;
        head->next = done;
        done = head;
        head = next;
    }
    return done;
}

static unsigned length(const struct node *head)
{
    unsigned n = 0;

    for (; head; head = head->next)
        n++;
    return n;
}

int main(void)
{
    struct node nodes[MOST];
    struct node *head = NULL;
    unsigned count = __VERIFIER_nondet_uint();

    if (count > MOST)
        return 0;
    for (unsigned i = 0; i < count; i++) {
        nodes[i].value = i;
        nodes[i].next = head;
        head = &nodes[i];
    }
    head = reverse(head);
    assert(length(head) == count);
    for (unsigned i = 0; head; head = head->next)
        assert(head->value == i++);
    return 0;
}
