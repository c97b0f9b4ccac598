// A queue of jobs whose tail is left behind when it gets empty.
// expect: unsafe 29
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern bool __VERIFIER_nondet_bool(void);

#define STEPS 5

struct job {
    struct job *next;
    int number;
};

struct queue {
    struct job *head, *tail;
};

static void enqueue(struct queue *q, int number)
{
    struct job *j = malloc(sizeof *j);

    if (!j)
        abort();
    j->next = NULL;
    j->number = number;
    if (q->tail)
        q->tail->next = j;
    else
        q->head = j;
    q->tail = j;
    if (!q->head)
        q->head = j;
}

static int dequeue(struct queue *q)
{
    struct job *j = q->head;
    int number = j->number;

    q->head = j->next;
    free(j);
    return number;
}

int main(void)
{
    struct queue q = {NULL, NULL};
    int in = 0, out = 0;

    for (int i = 0; i < STEPS; i++) {
        if (__VERIFIER_nondet_bool())
            enqueue(&q, in++);
        else if (q.head)
            assert(dequeue(&q) == out++);
    }
    while (q.head)
        assert(dequeue(&q) == out++);
    assert(in == out);
    return 0;
}
