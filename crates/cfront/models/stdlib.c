/* stdlib.h and inttypes.h without text: allocation, absolute values, division, sorting. */

void *malloc(unsigned long size);
void *realloc(void *block, unsigned long size);
void *memcpy(void *to, const void *from, unsigned long n);
void *memmove(void *to, const void *from, unsigned long n);
void *memset(void *to, int byte, unsigned long n);
int *__errno_location(void);

void *calloc(unsigned long count, unsigned long size)
{
    if (size != 0 && count > ~0ul / size) {
        *__errno_location() = 12; /* ENOMEM */
        return 0;
    }
    void *block = malloc(count * size);
    if (block != 0)
        memset(block, 0, count * size);
    return block;
}

void *reallocarray(void *block, unsigned long count, unsigned long size)
{
    if (size != 0 && count > ~0ul / size) {
        *__errno_location() = 12; /* ENOMEM */
        return 0;
    }
    return realloc(block, count * size);
}

/* Blocks are aligned to 64 bytes as it is. */
void *aligned_alloc(unsigned long alignment, unsigned long size)
{
    (void)alignment;
    return malloc(size);
}

void *memalign(unsigned long alignment, unsigned long size)
{
    (void)alignment;
    return malloc(size);
}

void *valloc(unsigned long size)
{
    return malloc(size);
}

int posix_memalign(void **block, unsigned long alignment, unsigned long size)
{
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0)
        return 22; /* EINVAL */
    void *made = malloc(size);
    if (made == 0)
        return 12; /* ENOMEM */
    *block = made;
    return 0;
}

int abs(int x)
{
    return x < 0 ? -x : x;
}

long labs(long x)
{
    return x < 0 ? -x : x;
}

long long llabs(long long x)
{
    return x < 0 ? -x : x;
}

/* intmax_t has 64 bits on every target. */
long long imaxabs(long long x)
{
    return x < 0 ? -x : x;
}

struct int_division {
    int quot;
    int rem;
};

struct long_division {
    long quot;
    long rem;
};

struct long_long_division {
    long long quot;
    long long rem;
};

struct int_division div(int a, int b)
{
    struct int_division result;
    result.quot = a / b;
    result.rem = a % b;
    return result;
}

struct long_division ldiv(long a, long b)
{
    struct long_division result;
    result.quot = a / b;
    result.rem = a % b;
    return result;
}

struct long_long_division lldiv(long long a, long long b)
{
    struct long_long_division result;
    result.quot = a / b;
    result.rem = a % b;
    return result;
}

struct long_long_division imaxdiv(long long a, long long b)
{
    return lldiv(a, b);
}

/* Insertion sort: stable, as glibc's, and the comparison only ever sees elements of the array. Elements move as a
   whole, so that pointers in them stay pointers. */
void qsort(void *base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *))
{
    char *array = base;
    if (count < 2 || size == 0)
        return;
    void *held = __builtin_alloca(size);
    for (unsigned long i = 1; i < count; i++) {
        unsigned long at = i;
        while (at > 0 && compare(array + (at - 1) * size, array + i * size) > 0)
            at--;
        if (at < i) {
            memcpy(held, array + i * size, size);
            memmove(array + (at + 1) * size, array + at * size, (i - at) * size);
            memcpy(array + at * size, held, size);
        }
    }
}

void qsort_r(void *base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *, void *),
             void *argument)
{
    char *array = base;
    if (count < 2 || size == 0)
        return;
    void *held = __builtin_alloca(size);
    for (unsigned long i = 1; i < count; i++) {
        unsigned long at = i;
        while (at > 0 && compare(array + (at - 1) * size, array + i * size, argument) > 0)
            at--;
        if (at < i) {
            memcpy(held, array + i * size, size);
            memmove(array + (at + 1) * size, array + at * size, (i - at) * size);
            memcpy(array + at * size, held, size);
        }
    }
}

void *bsearch(const void *key, const void *base, unsigned long count, unsigned long size,
              int (*compare)(const void *, const void *))
{
    const char *array = base;
    unsigned long low = 0;
    unsigned long high = count;
    while (low < high) {
        unsigned long middle = low + (high - low) / 2;
        const char *element = array + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
