/* What the drivers share: they compare a model, m_f, with the system's f. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEL(f) extern __typeof__(f) m_##f

static int failures;

#define CHECK(condition, ...)                             \
    do {                                                  \
        if (!(condition) && failures++ < 20) {            \
            printf("line %d: %s: ", __LINE__, #condition); \
            printf(__VA_ARGS__);                          \
            printf("\n");                                 \
        }                                                 \
    } while (0)

static inline unsigned long long next_random(void)
{
    static unsigned long long state = 88172645463325252ull;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717ull >> 11;
}

static inline int below(int n)
{
    return (int)(next_random() % (unsigned)n);
}

static inline int sign_of(long long x)
{
    return (x > 0) - (x < 0);
}

/* A block of exactly this size, so that the address sanitizer sees every access beyond it. */
static inline char *block(size_t size)
{
    char *p = malloc(size ? size : 1);
    return p;
}

/* A random string over a small alphabet with characters of both signs, in a block of exactly its size. */
static inline char *text(int longest)
{
    static const char alphabet[] = "abAB\xe9\x80 ,";
    int n = below(longest + 1);
    char *s = block(n + 1);
    for (int i = 0; i < n; i++)
        s[i] = alphabet[below(below(2) ? 2 : (int)sizeof alphabet - 1)];
    s[n] = 0;
    return s;
}

static inline int finish(void)
{
    if (failures)
        printf("%d failures\n", failures);
    return failures != 0;
}
