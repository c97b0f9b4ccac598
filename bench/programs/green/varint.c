// Numbers of variable length, seven bits a byte.
// expect: safe
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define INPUT 7

/* Returns the number of bytes, or 0 if the number is cut off or too large. */
static size_t decode(const uint8_t *in, size_t size, uint32_t *value)
{
    uint32_t result = 0;
    unsigned shift = 0;

    for (size_t i = 0; i < size; i++) {
        if (shift == 28 && in[i] > 0x0f)
            return 0;
        result |= (uint32_t)(in[i] & 0x7f) << shift;
        if (!(in[i] & 0x80)) {
            *value = result;
            return i + 1;
        }
        shift += 7;
    }
    return 0;
}

static size_t encode(uint32_t value, uint8_t out[5])
{
    size_t n = 0;

    while (value >= 0x80) {
        out[n++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    out[n++] = (uint8_t)value;
    return n;
}

int main(void)
{
    uint8_t bytes[INPUT], again[5];
    uint32_t value = 0, same = 0;
    size_t length, shortest;

    for (int i = 0; i < INPUT; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    length = decode(bytes, INPUT, &value);
    if (length == 0)
        return 0;
    shortest = encode(value, again);
    assert(shortest <= length && length <= 5);
    assert(decode(again, shortest, &same) == shortest && same == value);
    return 0;
}
