// Walks over records with a type, a length and a value, and trusts a length.
// expect: unsafe 38
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define INPUT 8

enum { TYPE_END = 0, TYPE_PAD = 1, TYPE_NUMBER = 2, TYPE_MORE = 3 };

struct result {
    int records;
    uint32_t number;
};

static int walk(const uint8_t *data, size_t size, struct result *r)
{
    size_t at = 0;

    while (at < size) {
        uint8_t type = data[at++];
        uint8_t length;

        if (type == TYPE_END)
            return 0;
        if (type == TYPE_PAD)
            continue;
        if (at == size)
            return -1;
        length = data[at++];
        if (length > size)
            return -1;
        if (type == TYPE_NUMBER) {
            uint32_t number = 0;
            for (size_t i = 0; i < length; i++)
                number = number << 8 | data[at + i];
            r->number = number;
        }
        r->records++;
        at += length;
    }
    return 0;
}

int main(void)
{
    uint8_t data[INPUT];
    struct result r = {0, 0};

    for (int i = 0; i < INPUT; i++)
        data[i] = __VERIFIER_nondet_uchar();
    if (walk(data, sizeof data, &r) == 0) {
        assert(r.records <= INPUT / 2);
        if (data[0] == TYPE_END)
            assert(r.records == 0 && r.number == 0);
        if (data[0] == TYPE_NUMBER && data[1] == 1 && data[3] == TYPE_END)
            assert(r.number == data[2]);
    }
    return 0;
}
