// Roman numbers in too short a text.
// expect: unsafe 18
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

static void roman(int n, char *out, size_t room)
{
    static const struct {
        int v;
        const char *s;
    } t[] = {{50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}};

    size_t o = 0;
    for (size_t i = 0; i < sizeof t / sizeof *t; i++)
        while (n >= t[i].v) {
            size_t k = strlen(t[i].s);
            assert(o + k < room);
            memcpy(out + o, t[i].s, k);
            o += k;
            n -= t[i].v;
        }
    out[o] = 0;
}

static int value(char c)
{
    switch (c) {
    case 'I':
        return 1;
    case 'V':
        return 5;
    case 'X':
        return 10;
    case 'L':
        return 50;
    default:
        return 0;
    }
}

static int parse(const char *s)
{
    int sum = 0;
    for (; *s; s++) {
        int v = value(*s);
        if (v < value(s[1]))
            sum -= v;
        else
            sum += v;
    }
    return sum;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 60)
        return 0;
    char b[7];
    roman(n, b, sizeof b);
    assert(parse(b) == n);
}
