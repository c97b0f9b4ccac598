/* A binary search tree on the heap; recursion. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

struct node {
    int key;
    struct node *left, *right;
};

static int size;

static struct node *leaf(int key)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(0);
    n->key = key;
    n->left = n->right = 0;
    size++;
    return n;
}

static struct node *insert(struct node *t, int key)
{
    if (!t)
        return leaf(key);
    if (key < t->key)
        t->left = insert(t->left, key);
    else if (key > t->key)
        t->right = insert(t->right, key);
    return t;
}

static int contains(struct node *t, int key)
{
    if (!t)
        return 0;
    if (t->key == key)
        return 1;
    return contains(key < t->key ? t->left : t->right, key);
}

static int least(struct node *t)
{
    while (t->left)
        t = t->left;
    return t->key;
}

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    struct node *t = 0;
    t = insert(t, a);
    t = insert(t, b);
    if (!contains(t, a) || !contains(t, b))
        __VERIFIER_error();
    if (least(t) > a || least(t) > b)
        __VERIFIER_error();
    if (size != (a == b ? 1 : 2))
        __VERIFIER_error();
    return 0;
}
