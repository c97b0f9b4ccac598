#include "list.h"
#include <stddef.h>

struct node *insert(struct node *head, struct node *n) {
    struct node **at = &head;
    while (*at != NULL && (*at)->key < n->key)
        at = &(*at)->next;
    n->next = *at;
    *at = n;
    return head;
}
