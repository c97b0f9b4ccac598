// A search tree that is freed by recursion.
// expect: safe
// check: memory,cleanup
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left, *right;
};

static void insert(struct tree **at, int key)
{
    while (*at && (*at)->key != key)
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    if (!*at) {
        *at = malloc(sizeof **at);
        if (!*at)
            abort();
        (*at)->key = key;
        (*at)->left = (*at)->right = NULL;
    }
}

static void drop(struct tree *t)
{
    if (!t)
        return;
    drop(t->left);
    drop(t->right);
    free(t);
}

int main(void)
{
    struct tree *root = NULL;

    for (int i = 0; i < 3; i++)
        insert(&root, __VERIFIER_nondet_int());
    drop(root);
    return 0;
}
