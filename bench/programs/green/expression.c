// Evaluates sums and products by recursive descent, with a limit of depth.
// expect: safe
#include <assert.h>
#include <stdbool.h>

extern char __VERIFIER_nondet_char(void);

#define INPUT 5
#define DEPTH 2
#define LARGEST 100000

static const char *at;
static bool failed;

static long expression(int depth);

static long check(long value)
{
    if (value > LARGEST)
        failed = true;
    return failed ? 0 : value;
}

static long factor(int depth)
{
    long value = 0;

    if (*at == '(') {
        if (depth == 0) {
            failed = true;
            return 0;
        }
        at++;
        value = expression(depth - 1);
        if (*at == ')')
            at++;
        else
            failed = true;
    } else if (*at >= '0' && *at <= '9') {
        value = *at++ - '0';
    } else {
        failed = true;
    }
    return value;
}

static long term(int depth)
{
    long value = factor(depth);

    while (!failed && *at == '*') {
        at++;
        value = check(value * factor(depth));
    }
    return value;
}

static long expression(int depth)
{
    long value = term(depth);

    while (!failed && *at == '+') {
        at++;
        value = check(value + term(depth));
    }
    return value;
}

int main(void)
{
    char text[INPUT + 1];
    long value;

    for (int i = 0; i < INPUT; i++)
        text[i] = __VERIFIER_nondet_char();
    text[INPUT] = '\0';
    at = text;
    value = expression(DEPTH);
    assert(value >= 0);
    if (!failed && *at == '\0')
        assert(value <= 729);
    return 0;
}
