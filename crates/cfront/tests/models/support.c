/* What the models leave to the tool; a driver may bring its own. */
#include <stdlib.h>

__attribute__((weak)) void m_abort(void)
{
    abort();
}

__attribute__((weak)) int __VERIFIER_nondet_int(void)
{
    return 0;
}

__attribute__((weak)) void __VERIFIER_assume(int condition)
{
    if (!condition)
        exit(0);
}

__attribute__((weak)) void __reprove_apart(const void *a, unsigned long m, const void *b, unsigned long n)
{
    (void)a, (void)m, (void)b, (void)n;
}

__attribute__((weak)) int __reprove_any_int(void)
{
    return 0;
}
