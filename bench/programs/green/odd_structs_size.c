// An array of structs of seven bytes, moved with one element too many.
// expect: unsafe 25
#include <assert.h>
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define ROOM 5

struct item {
    char tag[3];
    unsigned char rank;
    char unit[3];
};

struct shelf {
    unsigned count;
    struct item *item;
};

static void take_out(struct shelf *s, unsigned at)
{
    struct item *from = s->item + at + 1;

    memmove(s->item + at, from, (s->count - at) * sizeof *from);
    s->count--;
}

int main(void)
{
    struct item item[ROOM];
    struct shelf s = {ROOM, item};
    unsigned at = __VERIFIER_nondet_uint();

    for (unsigned i = 0; i < ROOM; i++) {
        memcpy(item[i].tag, "ab", 3);
        item[i].rank = (unsigned char)(i * 10);
        memset(item[i].unit, 'x', sizeof item[i].unit);
    }
    if (at >= ROOM)
        return 0;
    take_out(&s, at);
    assert(s.count == ROOM - 1);
    for (unsigned i = 0; i < s.count; i++) {
        assert(item[i].rank == (i < at ? i : i + 1) * 10);
        assert(item[i].tag[2] == '\0' && item[i].unit[2] == 'x');
    }
    return 0;
}
