// Run-length encoding into too little room.
// expect: unsafe 15
#include <assert.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

static size_t enc(const unsigned char *in, size_t n, unsigned char *out)
{
    size_t o = 0;
    for (size_t i = 0; i < n;) {
        size_t run = 1;
        while (i + run < n && run < 255 && in[i + run] == in[i])
            run++;
        out[o++] = (unsigned char)run;
        out[o++] = in[i];
        i += run;
    }
    return o;
}

static size_t dec(const unsigned char *in, size_t n, unsigned char *out, size_t room)
{
    size_t o = 0;
    for (size_t i = 0; i + 1 < n; i += 2) {
        if (in[i] > room - o)
            return 0;
        memset(out + o, in[i + 1], in[i]);
        o += in[i];
    }
    return o;
}

int main(void)
{
    unsigned char a[5], b[9], c[5];
    for (int i = 0; i < 5; i++)
        a[i] = __VERIFIER_nondet_uchar();
    size_t n = enc(a, 5, b);
    assert(n >= 2 && n <= 10);
    assert(dec(b, n, c, 5) == 5);
    assert(memcmp(a, c, 5) == 0);
}
