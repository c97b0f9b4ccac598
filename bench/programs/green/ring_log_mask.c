// The last events in a ring, with a mask that lets one bit too many through.
// expect: unsafe 27
#include <assert.h>
#include <stdint.h>
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define ROOM 8u
#define MASK (2 * ROOM - 1)
#define STEPS 10

struct event {
    uint32_t time;
    uint16_t id;
};

static struct event events[ROOM];
static uint32_t head;

static void record(uint32_t time, uint16_t id)
{
    struct event e;

    e.time = time;
    e.id = id;
    events[head & MASK] = e;
    head++;
}

static const struct event *latest(uint32_t back)
{
    if (back >= ROOM || back >= head)
        return NULL;
    return &events[(head - 1 - back) & MASK];
}

int main(void)
{
    unsigned count = __VERIFIER_nondet_uint() % (STEPS + 1);
    const struct event *e;

    for (unsigned i = 0; i < count; i++)
        record(100 + i, (uint16_t)i);
    for (unsigned back = 0; (e = latest(back)) != NULL; back++) {
        assert(e->time == 100 + count - 1 - back);
        assert(e->id == count - 1 - back);
    }
    return 0;
}
