#include "list.h"
#include <assert.h>
#include <stddef.h>

#define MOST 4

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

int main(void) {
    struct node nodes[MOST];
    struct node *head = NULL;
    int count = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= count && count <= MOST);
    for (int i = 0; i < count; i++) {
        nodes[i].key = __VERIFIER_nondet_int();
        head = insert(head, &nodes[i]);
    }
    int seen = 0;
    for (struct node *n = head; n != NULL; n = n->next) {
        seen++;
        assert(n->next == NULL || n->key <= n->next->key);
    }
    assert(seen == count);
    return 0;
}
