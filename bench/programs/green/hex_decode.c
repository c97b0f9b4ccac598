// Decodes text of hexadecimal digits into bytes.
// expect: safe
#include <assert.h>
#include <stddef.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

#define INPUT 7

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Returns the number of bytes, or -1. */
static int decode(const char *text, unsigned char *out)
{
    size_t length = strlen(text);

    if (length % 2 != 0)
        return -1;
    for (size_t i = 0; i < length; i += 2) {
        int high = digit(text[i]);
        int low = text[i + 1] ? digit(text[i + 1]) : 0;
        if (high < 0 || low < 0)
            return -1;
        out[i / 2] = (unsigned char)(high << 4 | low);
    }
    return (int)(length / 2);
}

int main(void)
{
    char text[INPUT + 1];
    unsigned char bytes[INPUT / 2];
    int count;

    for (int i = 0; i < INPUT; i++)
        text[i] = __VERIFIER_nondet_char();
    text[INPUT] = '\0';

    count = decode(text, bytes);
    assert(count >= -1 && count <= INPUT / 2);
    for (int i = 0; i < count; i++)
        assert(digit(text[2 * i]) == bytes[i] >> 4);
    return 0;
}
