// A stack in a struct, for as long as there are commands.
// expect: safe
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define MAX 8

struct stack {
    int v[MAX];
    int n;
};

static int push(struct stack *s, int x)
{
    if (s->n >= MAX)
        return -1;
    s->v[s->n++] = x;
    return 0;
}

static int pop(struct stack *s, int *x)
{
    if (s->n == 0)
        return -1;
    *x = s->v[--s->n];
    return 0;
}

int main(void)
{
    struct stack s;
    s.n = 0;
    int x, op;
    while ((op = __VERIFIER_nondet_int()) != 0) {
        switch (op) {
        case 1:
            push(&s, op);
            break;
        case 2:
            pop(&s, &x);
            break;
        case 3: {
            int a, b;
            if (s.n >= 2 && !pop(&s, &a) && !pop(&s, &b))
                push(&s, a < b ? a : b);
            break;
        }
        }
        assert(s.n >= 0 && s.n <= MAX);
    }
}
