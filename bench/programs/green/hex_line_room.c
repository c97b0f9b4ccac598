// Prints bytes as a line of hexadecimal numbers by sprintf, into too little room.
// expect: unsafe 20
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);

#define BYTES 3
#define ROOM (3 * BYTES + 4)

static int dump(char *out, unsigned offset, const unsigned char *bytes, unsigned count)
{
    int length = 0;

    length += sprintf(out, "%04x", offset & 0xffffu);
    for (unsigned i = 0; i < count; i++)
        length += sprintf(out + length, " %02x", bytes[i]);
    return length;
}

int main(void)
{
    unsigned char bytes[BYTES];
    char line[ROOM];
    unsigned count = __VERIFIER_nondet_uint() % (BYTES + 1);
    int length;

    for (unsigned i = 0; i < count; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    length = dump(line, 0x10, bytes, count);
    assert(length == 4 + 3 * (int)count);
    assert(strncmp(line, "0010", 4) == 0);
    if (count > 0)
        assert(line[4] == ' ');
    return 0;
}
