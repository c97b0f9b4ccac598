// Evaluates sums and products by recursive descent, with limits of depth and size.
// expect: safe
#include <assert.h>
#include <stdbool.h>

extern char __VERIFIER_nondet_char(void);

#define INPUT 4
#define DEPTH 2
#define LARGEST 9999

static const char *at;
static bool failed;

static int expression(int depth);

static int check(int value)
{
    if (value > LARGEST)
        failed = true;
    return failed ? 0 : value;
}

static int factor(int depth)
{
    int value = 0;

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

/* From left to right, as on a pocket calculator. */
static int expression(int depth)
{
    int value = factor(depth);

    while (!failed && (*at == '+' || *at == '*')) {
        char operation = *at++;
        int operand = factor(depth);
        value = check(operation == '+' ? value + operand : value * operand);
    }
    return value;
}

int main(void)
{
    char text[INPUT + 1];
    int value;

    for (int i = 0; i < INPUT; i++)
        text[i] = __VERIFIER_nondet_char();
    text[INPUT] = '\0';
    at = text;
    value = expression(DEPTH);
    assert(value >= 0);
    if (!failed && *at == '\0')
        assert(value <= 81);
    return 0;
}
