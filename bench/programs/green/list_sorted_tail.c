// Inserts into a list that is kept sorted, and runs off its end.
// expect: unsafe 22
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define COUNT 4

struct node {
    int key;
    struct node *next;
};

static struct node *insert(struct node *head, int key)
{
    struct node **link = &head;
    struct node *fresh = malloc(sizeof *fresh);

    if (!fresh)
        abort();
    while ((*link)->key < key && (*link)->next)
        link = &(*link)->next;
    fresh->key = key;
    fresh->next = *link;
    *link = fresh;
    return head;
}

int main(void)
{
    struct node *head = NULL;
    int count = 0;

    for (int i = 0; i < COUNT; i++)
        head = insert(head, __VERIFIER_nondet_int());
    for (struct node *n = head; n; n = n->next) {
        assert(!n->next || n->key <= n->next->key);
        count++;
    }
    assert(count == COUNT);
    while (head) {
        struct node *gone = head;
        head = head->next;
        free(gone);
    }
    return 0;
}
