// Decodes UTF-8 and trusts the first byte about how many follow.
// expect: unsafe 39
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);

#define INPUT 5
#define REPLACEMENT 0xfffdu

/* The next character of `size` > 0 bytes; `used` is how many bytes it takes. */
static uint32_t decode(const uint8_t *at, size_t size, size_t *used)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t c = at[0];
    size_t length;

    *used = 1;
    if (c < 0x80)
        return c;
    if ((c & 0xe0) == 0xc0) {
        length = 2;
        c &= 0x1f;
    } else if ((c & 0xf0) == 0xe0) {
        length = 3;
        c &= 0x0f;
    } else if ((c & 0xf8) == 0xf0) {
        length = 4;
        c &= 0x07;
    } else {
        return REPLACEMENT;
    }
    if (size == 0)
        return REPLACEMENT;
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return REPLACEMENT;
        c = c << 6 | (at[i] & 0x3fu);
    }
    if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return REPLACEMENT;
    *used = length;
    return c;
}

int main(void)
{
    size_t size = __VERIFIER_nondet_uint() % (INPUT + 1);
    uint8_t *text = malloc(size);
    size_t at = 0;
    int count = 0;

    if (!text)
        return 1;
    for (size_t i = 0; i < size; i++)
        text[i] = __VERIFIER_nondet_uchar();

    while (at < size) {
        size_t used;
        uint32_t c = decode(text + at, size - at, &used);
        assert(c <= 0x10ffff);
        at += used;
        count++;
    }
    assert(at == size && count <= INPUT);
    free(text);
    return 0;
}
