// Encodes one character in UTF-8, with a wrong limit for two bytes.
// expect: unsafe 52
#include <assert.h>
#include <stdint.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static int encode(uint32_t c, uint8_t out[4])
{
    if (c < 0x80) {
        out[0] = (uint8_t)c;
        return 1;
    }
    if (c <= 0x800) {
        out[0] = (uint8_t)(0xc0 | c >> 6);
        out[1] = (uint8_t)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (uint8_t)(0xe0 | c >> 12);
        out[1] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
        out[2] = (uint8_t)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (uint8_t)(0xf0 | c >> 18);
    out[1] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
    out[2] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
    out[3] = (uint8_t)(0x80 | (c & 0x3f));
    return 4;
}

static uint32_t decode(const uint8_t *in, int length)
{
    static const uint8_t masks[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t c = in[0] & masks[length];

    for (int i = 1; i < length; i++)
        c = c << 6 | (in[i] & 0x3fu);
    return c;
}

int main(void)
{
    uint32_t c = __VERIFIER_nondet_uint();
    uint8_t bytes[4];
    int length;

    if (c > 0x10ffff)
        return 0;
    length = encode(c, bytes);
    assert(length >= 1 && length <= 4);
    assert(decode(bytes, length) == c);
    return 0;
}
