// Encodes bytes as base64, and reads a whole group where there is less.
// expect: unsafe 21
#include <assert.h>
#include <stddef.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);

#define LONGEST 5

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static size_t encode(const unsigned char *in, size_t size, char *out)
{
    char *to = out;

    for (size_t i = 0; i < size; i += 3) {
        unsigned group = (unsigned)in[i] << 16;
        if (i < size)
            group |= (unsigned)in[i + 1] << 8;
        if (i + 2 < size)
            group |= in[i + 2];
        *to++ = digits[group >> 18];
        *to++ = digits[group >> 12 & 63];
        *to++ = i + 1 < size ? digits[group >> 6 & 63] : '=';
        *to++ = i + 2 < size ? digits[group & 63] : '=';
    }
    *to = '\0';
    return (size_t)(to - out);
}

int main(void)
{
    unsigned char data[LONGEST - 1];
    char text[(LONGEST + 2) / 3 * 4 + 1];
    size_t size = __VERIFIER_nondet_uint() % LONGEST;
    size_t length;

    for (size_t i = 0; i < size; i++)
        data[i] = __VERIFIER_nondet_uchar();
    length = encode(data, size, text);
    assert(length == (size + 2) / 3 * 4);
    assert(strlen(text) == length);
    if (size % 3 == 0)
        assert(strchr(text, '=') == NULL);
    if (size == 3 && memcmp(data, "Man", 3) == 0)
        assert(strcmp(text, "TWFu") == 0);
    return 0;
}
