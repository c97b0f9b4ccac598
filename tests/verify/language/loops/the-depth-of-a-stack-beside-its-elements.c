// The depth of a stack beside its elements.
// expect: safe
// check: memory,overflow
#include <assert.h>
int __VERIFIER_nondet_int(void);
struct stack {
    int v[32];
    int n;
};
static int push(struct stack *s, int x) {
    if (s->n >= 32) return -1;
    s->v[s->n++] = x;
    return 0;
}
static int pop(struct stack *s, int *x) {
    if (s->n == 0) return -1;
    *x = s->v[--s->n];
    return 0;
}
int main(void) {
    struct stack s;
    s.n = 0;
    int x, op;
    while ((op = __VERIFIER_nondet_int()) != 0) {
        if (op == 1) push(&s, op);
        if (op == 2) pop(&s, &x);
        assert(s.n >= 0 && s.n <= 32);
    }
    return 0;
}
