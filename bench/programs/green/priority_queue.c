// A binary heap that grows.
// expect: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

typedef struct {
    int *a;
    size_t n, cap;
} heap;

static int push(heap *h, int x)
{
    if (h->n == h->cap) {
        size_t cap = h->cap ? 2 * h->cap : 2;
        int *a = realloc(h->a, cap * sizeof *a);
        if (!a)
            return -1;
        h->a = a;
        h->cap = cap;
    }
    size_t i = h->n++;
    while (i > 0 && h->a[(i - 1) / 2] > x) {
        h->a[i] = h->a[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->a[i] = x;
    return 0;
}

static int pop(heap *h)
{
    int top = h->a[0], x = h->a[--h->n];
    size_t i = 0;
    for (;;) {
        size_t c = 2 * i + 1;
        if (c >= h->n)
            break;
        if (c + 1 < h->n && h->a[c + 1] < h->a[c])
            c++;
        if (h->a[c] >= x)
            break;
        h->a[i] = h->a[c];
        i = c;
    }
    if (h->n)
        h->a[i] = x;
    return top;
}

int main(void)
{
    heap h = {0};
    for (int i = 0; i < 5; i++)
        if (push(&h, __VERIFIER_nondet_int())) {
            free(h.a);
            return 1;
        }
    int last = pop(&h);
    while (h.n) {
        int x = pop(&h);
        assert(last <= x);
        last = x;
    }
    free(h.a);
}
