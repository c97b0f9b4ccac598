#include <stdlib.h>

int __VERIFIER_nondet_int(void);

char *last;

int main(void)
{
    char *text = malloc(8);
    if (__VERIFIER_nondet_int() == 7)
        return 1;
    last = text;
    return 0;
}
