// Parses a decimal number with a sign, and notices too late that it does not fit.
// expect: unsafe 27
#include <assert.h>
#include <limits.h>
#include <stdbool.h>

extern char __VERIFIER_nondet_char(void);

#define INPUT 11

/* Numbers are built below zero, where there is room for INT_MIN. */
static bool parse(const char *text, int *number)
{
    bool negative = *text == '-';
    int value = 0;

    if (*text == '-' || *text == '+')
        text++;
    if (*text == '\0')
        return false;
    for (; *text; text++) {
        int digit = *text - '0';
        if (digit < 0 || digit > 9)
            return false;
        if (value < INT_MIN / 10)
            return false;
        value = value * 10 - digit;
    }
    if (!negative && value == INT_MIN)
        return false;
    *number = negative ? value : -value;
    return true;
}

int main(void)
{
    char text[INPUT + 1];
    int number = 0;

    for (int i = 0; i < INPUT; i++)
        text[i] = __VERIFIER_nondet_char();
    text[INPUT] = '\0';

    if (parse(text, &number)) {
        if (text[0] == '-')
            assert(number <= 0);
        else
            assert(number >= 0);
        if (text[0] == '7' && text[1] == '\0')
            assert(number == 7);
    }
    return 0;
}
