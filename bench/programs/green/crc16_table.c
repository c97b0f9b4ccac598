// A CRC of 16 bits by a table, with an index of five bits.
// expect: unsafe 27
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define INPUT 3

static const uint16_t table[16] = {
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50a5, 0x60c6, 0x70e7,
    0x8108, 0x9129, 0xa14a, 0xb16b, 0xc18c, 0xd1ad, 0xe1ce, 0xf1ef,
};

static uint16_t slow(uint16_t crc, uint8_t byte)
{
    crc ^= (uint16_t)(byte << 8);
    for (int i = 0; i < 8; i++)
        crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
    return crc;
}

static uint16_t fast(uint16_t crc, uint8_t byte)
{
    crc = (uint16_t)(crc << 4 ^ table[(crc >> 12) ^ (byte >> 4)]);
    crc = (uint16_t)(crc << 4 ^ table[(crc >> 12) ^ (byte & 31)]);
    return crc;
}

int main(void)
{
    uint16_t a = 0xffff, b = 0xffff;

    for (size_t i = 0; i < INPUT; i++) {
        uint8_t byte = __VERIFIER_nondet_uchar();
        a = slow(a, byte);
        b = fast(b, byte);
        assert(a == b);
    }
    return 0;
}
