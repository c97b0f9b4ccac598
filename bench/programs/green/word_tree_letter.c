// A tree of words that takes any byte for a letter.
// expect: unsafe 24
#include <assert.h>
#include <stdlib.h>
#include <stdbool.h>
extern char __VERIFIER_nondet_char(void);

struct node {
    struct node *kid[2];
    bool end;
};

static struct node *new_node(void)
{
    return calloc(1, sizeof(struct node));
}

static bool add(struct node *t, const char *s)
{
    for (; *s; s++) {
        if (*s < '0')
            return false;
        int b = *s - '0';
        if (!t->kid[b] && !(t->kid[b] = new_node()))
            return false;
        t = t->kid[b];
    }
    t->end = true;
    return true;
}

static bool has(const struct node *t, const char *s)
{
    for (; t && *s; s++) {
        if (*s != '0' && *s != '1')
            return false;
        t = t->kid[*s - '0'];
    }
    return t && t->end;
}

static void drop(struct node *t)
{
    if (!t)
        return;
    drop(t->kid[0]);
    drop(t->kid[1]);
    free(t);
}

int main(void)
{
    struct node *root = new_node();
    if (!root)
        return 1;
    char w[4];
    for (int i = 0; i < 3; i++)
        w[i] = __VERIFIER_nondet_char();
    w[3] = 0;
    if (add(root, w))
        assert(has(root, w));
    drop(root);
}
