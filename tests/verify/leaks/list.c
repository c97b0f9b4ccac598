// A list that is built from inputs and freed node by node.
// expect: safe
// check: memory,leak
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *head, int value)
{
    struct node *n = malloc(sizeof *n);

    if (!n)
        abort();
    n->value = value;
    n->next = head;
    return n;
}

static void drop(struct node *head)
{
    while (head) {
        struct node *next = head->next;

        free(head);
        head = next;
    }
}

int main(void)
{
    struct node *list = NULL;
    int sum = 0;

    for (int i = 0; i < 6; i++) {
        int value = __VERIFIER_nondet_int();

        if (value > 0)
            list = push(list, value);
    }
    for (struct node *n = list; n; n = n->next)
        sum ^= n->value;
    drop(list);
    return sum == 0;
}
