// A checksum with rotations, for blocks of a few bytes.
// expect: safe
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define INPUT 6

static uint32_t rotate(uint32_t value, unsigned bits)
{
    bits &= 31;
    return bits == 0 ? value : value << bits | value >> (32 - bits);
}

static uint32_t checksum(const uint8_t *data, size_t size)
{
    uint32_t sum = 1;

    for (size_t i = 0; i < size; i++)
        sum = rotate(sum, data[i] & 7) ^ data[i];
    return sum;
}

int main(void)
{
    uint8_t data[INPUT];
    uint8_t all = 0;
    uint32_t sum;

    for (int i = 0; i < INPUT; i++) {
        data[i] = __VERIFIER_nondet_uchar();
        all |= data[i];
    }
    sum = checksum(data, sizeof data);
    if (all == 0)
        assert(sum == 1);
    assert(rotate(rotate(sum, 5), 27) == sum);
    return 0;
}
