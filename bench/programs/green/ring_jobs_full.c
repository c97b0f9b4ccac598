// A ring of jobs that takes one more than it has room for.
// expect: unsafe 56
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define STEPS 6

struct job {
    short priority;
    unsigned char id;
};

struct ring {
    unsigned room, head, count;
    struct job *jobs;
};

static bool push(struct ring *r, struct job j)
{
    if (r->count > r->room)
        return false;
    r->jobs[(r->head + r->count) % r->room] = j;
    r->count++;
    return true;
}

static bool pop(struct ring *r, struct job *j)
{
    if (r->count == 0)
        return false;
    *j = r->jobs[r->head];
    r->head = (r->head + 1) % r->room;
    r->count--;
    return true;
}

int main(void)
{
    struct ring r = {3, 0, 0, malloc(3 * sizeof(struct job))};
    unsigned char in = 0, out = 0;

    if (!r.jobs)
        return 1;
    for (int i = 0; i < STEPS; i++) {
        struct job j = {1, in};
        if (__VERIFIER_nondet_uint() % 4 != 0) {
            if (push(&r, j))
                in++;
        } else if (pop(&r, &j)) {
            assert(j.id == out && j.priority == 1);
            out++;
        }
        assert(r.count <= r.room);
    }
    free(r.jobs);
    return 0;
}
