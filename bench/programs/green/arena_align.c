// An arena that aligns a piece after it looked whether there is room.
// expect: unsafe 41
#include <assert.h>
#include <stddef.h>
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define ROOM 32
#define PIECES 4

static unsigned char block[ROOM];
static size_t used;

static size_t align(size_t n)
{
    return (n + 7) & ~(size_t)7;
}

static void *get(size_t size)
{
    size_t start = used;

    if (size > ROOM || start > ROOM - size)
        return NULL;
    start = align(start);
    used = start + size;
    return block + start;
}

int main(void)
{
    unsigned char *last = NULL;
    size_t last_size = 0;

    for (int i = 0; i < PIECES; i++) {
        size_t size = __VERIFIER_nondet_uint() % 12 + 1;
        unsigned char *piece = get(size);
        if (!piece)
            break;
        memset(piece, i + 1, size);
        if (last) {
            assert(last[last_size - 1] == i);
            assert(piece - last >= (ptrdiff_t)last_size);
        }
        last = piece;
        last_size = size;
    }
    assert(used <= ROOM);
    return 0;
}
