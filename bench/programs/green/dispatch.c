// A calculator whose operations are found in a table of functions.
// expect: safe
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define STEPS 3

typedef int (*operation)(int, int);

static int add(int a, int b)
{
    return (a + b) % 1000;
}

static int subtract(int a, int b)
{
    return (a - b) % 1000;
}

static int multiply(int a, int b)
{
    return a * b % 1000;
}

static int divide(int a, int b)
{
    return b == 0 ? 0 : a / b;
}

static const operation operations[] = {add, subtract, multiply, divide};

#define COUNT ((int)(sizeof operations / sizeof operations[0]))

static int apply(int code, int a, int b)
{
    if (code < 0 || code >= COUNT)
        return 0;
    return operations[code](a, b);
}

int main(void)
{
    int value = 0;

    for (int i = 0; i < STEPS; i++) {
        int code = __VERIFIER_nondet_int();
        int operand = __VERIFIER_nondet_int() % 1000;
        value = apply(code, value, operand);
        assert(value > -1000 && value < 1000);
    }
    return 0;
}
