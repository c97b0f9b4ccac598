// A text that grows as needed from nothing; the room is compared before what is added.
// expect: unsafe 31
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);

#define MOST 6

struct text {
    char *bytes;
    size_t length, room;
};

static void append(struct text *t, const char *from, size_t n)
{
    if (t->length >= t->room) {
        size_t room = t->length + n + 1;
        char *larger = malloc(room);
        if (!larger)
            abort();
        if (t->length > 0)
            memcpy(larger, t->bytes, t->length);
        free(t->bytes);
        t->bytes = larger;
        t->room = room;
    }
    if (n > 0)
        memcpy(t->bytes + t->length, from, n);
    t->length += n;
}

int main(void)
{
    struct text t = {0};
    char in[MOST];
    unsigned n = __VERIFIER_nondet_uint() % (MOST + 1);

    for (int i = 0; i < MOST; i++)
        in[i] = __VERIFIER_nondet_char();
    append(&t, in, n);
    append(&t, in, n);
    assert(t.length == 2 * n);
    for (unsigned i = 0; i < n; i++)
        assert(t.bytes[n + i] == in[i]);
    free(t.bytes);
    return 0;
}
