// A ring whose counters are never reset, for as long as there is work.
// expect: safe
#include <assert.h>
#include <stdbool.h>
extern int __VERIFIER_nondet_int(void);
#define SIZE 16

struct ring {
    unsigned char buf[SIZE];
    unsigned head, tail;
};
static struct ring r;

static bool put(unsigned char c)
{
    if (r.head - r.tail == SIZE)
        return false;
    r.buf[r.head++ % SIZE] = c;
    return true;
}

static bool get(unsigned char *c)
{
    if (r.head == r.tail)
        return false;
    *c = r.buf[r.tail++ % SIZE];
    return true;
}

int main(void)
{
    unsigned char c;
    for (;;) {
        int op = __VERIFIER_nondet_int();
        if (op == 0)
            break;
        if (op > 0)
            put((unsigned char)op);
        else
            get(&c);
        assert(r.head - r.tail <= SIZE);
    }
}
