// A buffer of bytes that grows only when it is already too late.
// expect: unsafe 26
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define MOST 9

struct buffer {
    unsigned char *bytes;
    size_t used, room;
};

static bool push(struct buffer *b, unsigned char byte)
{
    if (b->used > b->room || !b->bytes) {
        size_t room = b->room ? 2 * b->room : 2;
        unsigned char *bytes = realloc(b->bytes, room);
        if (!bytes)
            return false;
        b->bytes = bytes;
        b->room = room;
    }
    b->bytes[b->used++] = byte;
    return true;
}

int main(void)
{
    struct buffer b = {NULL, 0, 0};
    unsigned count = __VERIFIER_nondet_uint();

    if (count > MOST)
        return 0;
    for (unsigned i = 0; i < count; i++)
        if (!push(&b, (unsigned char)(i * 3)))
            break;
    assert(b.used == count && b.room >= b.used);
    for (unsigned i = 0; i < b.used; i++)
        assert(b.bytes[i] == i * 3);
    free(b.bytes);
    return 0;
}
