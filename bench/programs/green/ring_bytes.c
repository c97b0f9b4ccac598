// A ring buffer of bytes between a producer and a consumer.
// expect: safe
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

#define ROOM 4
#define STEPS 8

struct ring {
    size_t count, read, write;
    unsigned char *bytes;
};

static bool put(struct ring *r, unsigned char byte)
{
    if (r->count == ROOM)
        return false;
    r->bytes[r->write] = byte;
    if (++r->write == ROOM)
        r->write = 0;
    r->count++;
    return true;
}

static bool get(struct ring *r, unsigned char *byte)
{
    if (r->count == 0)
        return false;
    *byte = r->bytes[r->read];
    if (++r->read == ROOM)
        r->read = 0;
    r->count--;
    return true;
}

int main(void)
{
    unsigned char bytes[ROOM];
    struct ring r = {0, 0, 0, bytes};
    unsigned char in = 0, out = 0;

    for (int i = 0; i < STEPS; i++) {
        unsigned char byte = 0;
        if (__VERIFIER_nondet_int() & 1) {
            if (put(&r, in))
                in++;
        } else if (get(&r, &byte)) {
            assert(byte == out);
            out++;
        }
        assert(r.count == (size_t)(in - out));
    }
    return 0;
}
