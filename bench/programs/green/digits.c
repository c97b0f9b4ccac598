// Writes a number in any base, each digit in a call of its own.
// expect: safe
#include <assert.h>
#include <stddef.h>
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define ROOM 9

struct writer {
    char *to;
    size_t used;
};

static void put(struct writer *w, char c)
{
    w->to[w->used++] = c;
}

static void number(struct writer *w, unsigned value, unsigned base)
{
    char digit[2] = {0, 0};

    digit[0] = (char)(value % base < 10 ? '0' + value % base : 'a' + value % base - 10);
    if (value >= base)
        number(w, value / base, base);
    put(w, digit[0]);
}

int main(void)
{
    static const unsigned bases[] = {2, 8, 10, 16};
    char text[ROOM];
    struct writer w = {text, 0};
    unsigned value = __VERIFIER_nondet_uint() % 256;
    unsigned base = bases[__VERIFIER_nondet_uint() % 4];

    number(&w, value, base);
    put(&w, '\0');
    assert(strlen(text) + 1 == w.used);
    if (value > 0)
        assert(text[0] != '0');
    if (value == 200 && base == 16)
        assert(strcmp(text, "c8") == 0);
    return 0;
}
