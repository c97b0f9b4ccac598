// Removes nodes from a list, and asks a freed node for the next one.
// expect: unsafe 34
#include <assert.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define COUNT 4

struct node {
    struct node *next;
    unsigned char key;
};

static struct node *push(struct node *head, unsigned char key)
{
    struct node *n = malloc(sizeof *n);

    if (!n)
        abort();
    n->next = head;
    n->key = key;
    return n;
}

static int remove_all(struct node **link, unsigned char key)
{
    int removed = 0;

    while (*link) {
        struct node *n = *link;
        if (n->key == key) {
            free(n);
            *link = n->next;
            removed++;
        } else {
            link = &n->next;
        }
    }
    return removed;
}

int main(void)
{
    struct node *head = NULL;
    unsigned char key = __VERIFIER_nondet_uchar();
    int expected = 0, rest = 0;

    for (int i = 0; i < COUNT; i++) {
        unsigned char k = __VERIFIER_nondet_uchar();
        expected += k == key;
        head = push(head, k);
    }
    assert(remove_all(&head, key) == expected);
    while (head) {
        struct node *next = head->next;
        assert(head->key != key);
        free(head);
        head = next;
        rest++;
    }
    assert(rest + expected == COUNT);
    return 0;
}
