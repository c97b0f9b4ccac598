// Checks the header of a packet, without asking whether it is all there.
// expect: unsafe 57
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);

#define LARGEST 10
#define SHORTEST 4

struct packet {
    uint8_t version, flags;
    uint16_t length;
    const uint8_t *payload;
};

static uint16_t read16(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

/* Flag 1: two more bytes of header. */
static int parse(const uint8_t *data, size_t size, struct packet *p)
{
    size_t header = SHORTEST;

    if (size < SHORTEST || data[0] >> 4 != 4)
        return -1;
    p->version = data[0] >> 4;
    p->flags = data[1];
    p->length = read16(data + 2);
    if (p->flags & 1)
        header += 2;
    if (p->length < header || p->length > LARGEST)
        return -1;
    p->payload = data + header;
    return 0;
}

int main(void)
{
    size_t size = __VERIFIER_nondet_uint() % (LARGEST + 1);
    uint8_t *data = malloc(size);
    struct packet p;
    unsigned sum = 0;

    if (!data)
        return 1;
    for (size_t i = 0; i < size; i++)
        data[i] = __VERIFIER_nondet_uchar();
    if (parse(data, size, &p) == 0) {
        assert(p.version == 4);
        for (unsigned i = 0; p.payload + i != data + p.length; i++)
            sum += p.payload[i];
        assert(sum <= 255u * (LARGEST - SHORTEST));
    }
    free(data);
    return 0;
}
