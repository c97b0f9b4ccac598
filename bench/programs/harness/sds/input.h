#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include "sds.h"

extern char __VERIFIER_nondet_char(void);
extern int __VERIFIER_nondet_int(void);
extern long long __VERIFIER_nondet_longlong(void);

/* A number from 0 to `most`; with FIXED it is `most`. */
static size_t some(size_t most)
{
#ifdef FIXED
    return most;
#endif
    unsigned n = (unsigned char)__VERIFIER_nondet_char();

    return n <= most ? n : most;
}

static void fill(char *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = __VERIFIER_nondet_char();
}

/* A string of up to `most` bytes of any value. */
static sds any_sds(size_t most)
{
    char bytes[16];

    fill(bytes, most);
    return sdsnewlen(bytes, some(most));
}
