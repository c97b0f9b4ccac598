// A pool whose last block is written beyond its end.
// expect: unsafe 52
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
extern unsigned __VERIFIER_nondet_uint(void);
#define BLOCKS 4

union block {
    union block *next;
    unsigned char data[16];
};
static union block store[BLOCKS], *freelist;

static void init(void)
{
    freelist = NULL;
    for (int i = BLOCKS; i-- > 0;) {
        store[i].next = freelist;
        freelist = &store[i];
    }
}

static void *get(void)
{
    union block *b = freelist;
    if (b)
        freelist = b->next;
    return b;
}

static void put(void *p)
{
    union block *b = p;
    b->next = freelist;
    freelist = b;
}

int main(void)
{
    init();
    void *held[BLOCKS];
    unsigned n = 0;
    for (int i = 0; i < 6; i++) {
        if (__VERIFIER_nondet_uint() & 1) {
            void *p = get();
            if (p) {
                assert(n < BLOCKS);
                for (unsigned k = 0; k < n; k++)
                    assert(held[k] != p);
                held[n++] = p;
                ((unsigned char *)p)[16 * BLOCKS] = 1;
            } else
                assert(n == BLOCKS);
        } else if (n)
            put(held[--n]);
    }
}
