#include <assert.h>

#define SIZE 8

struct queue {
    int item[SIZE];
    int first, count;
};

static int put(struct queue *q, int x) {
    if (q->count == SIZE)
        return 0;
    q->item[(q->first + q->count) % SIZE] = x;
    q->count++;
    return 1;
}

static int get(struct queue *q, int *x) {
    if (q->count == 0)
        return 0;
    *x = q->item[q->first];
    q->first = (q->first + 1) % SIZE;
    q->count--;
    return 1;
}

int __VERIFIER_nondet_int(void);

int main(void) {
    static struct queue q;
    for (;;) {
        int x = __VERIFIER_nondet_int();
        if (x != 0)
            put(&q, x);
        else
            get(&q, &x);
        assert(0 <= q.count && q.count <= SIZE);
    }
}
