// Inserts bytes into the middle of a line by a memcpy that overlaps.
// expect: unsafe 22
#include <assert.h>
#include <stdbool.h>
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define ROOM 12

struct line {
    size_t length;
    char chars[ROOM];
};

static bool insert(struct line *l, size_t at, const char *word)
{
    size_t n = strlen(word);

    if (at > l->length || n > ROOM - l->length)
        return false;
    memcpy(l->chars + at + n, l->chars + at, l->length - at);
    memcpy(l->chars + at, word, n);
    l->length += n;
    return true;
}

int main(void)
{
    struct line l = {6, "abcdef"};
    unsigned at = __VERIFIER_nondet_uint();

    if (at > 6)
        return 0;
    assert(insert(&l, at, "xyz"));
    assert(l.length == 9);
    for (unsigned i = 0; i < at; i++)
        assert(l.chars[i] == (char)('a' + i));
    for (unsigned i = at; i < 6; i++)
        assert(l.chars[i + 3] == (char)('a' + i));
    assert(!insert(&l, 0, "much too long"));
    return 0;
}
