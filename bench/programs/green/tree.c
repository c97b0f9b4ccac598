// A search tree: insert, look up, count, free.
// expect: safe
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define COUNT 4

struct tree {
    struct tree *left, *right;
    int key;
};

static struct tree *insert(struct tree *t, int key)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        if (!t)
            abort();
        t->key = key;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else if (key > t->key) {
        t->right = insert(t->right, key);
    }
    return t;
}

static bool contains(const struct tree *t, int key)
{
    while (t && t->key != key)
        t = key < t->key ? t->left : t->right;
    return t != NULL;
}

static int drop(struct tree *t)
{
    int nodes;

    if (!t)
        return 0;
    nodes = 1 + drop(t->left) + drop(t->right);
    free(t);
    return nodes;
}

int main(void)
{
    struct tree *root = NULL;
    int last = 0, nodes;

    for (int i = 0; i < COUNT; i++) {
        last = __VERIFIER_nondet_int();
        root = insert(root, last);
    }
    assert(contains(root, last));
    if (root->key == 0)
        assert(contains(root, 0));
    (void)contains(root, 17);
    nodes = drop(root);
    assert(nodes >= 1 && nodes <= COUNT);
    return 0;
}
