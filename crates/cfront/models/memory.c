/* Memory blocks (string.h, strings.h). Bytes are compared as unsigned char, in order, and never beyond the byte that
   decides. size_t is written `unsigned long`: same width on every target. */

void *memcpy(void *to, const void *from, unsigned long n);
void *memmove(void *to, const void *from, unsigned long n);
void *memset(void *to, int byte, unsigned long n);

int memcmp(const void *a, const void *b, unsigned long n)
{
    const unsigned char *x = a;
    const unsigned char *y = b;
    /* All of both is there, wherever they begin to differ. */
    if (n > 0) {
        (void)x[n - 1];
        (void)y[n - 1];
    }
    for (unsigned long i = 0; i < n; i++) {
        if (x[i] != y[i])
            return x[i] - y[i];
    }
    return 0;
}

int __memcmpeq(const void *a, const void *b, unsigned long n)
{
    return memcmp(a, b, n);
}

int bcmp(const void *a, const void *b, unsigned long n)
{
    return memcmp(a, b, n);
}

void *memchr(const void *block, int byte, unsigned long n)
{
    const unsigned char *x = block;
    for (unsigned long i = 0; i < n; i++) {
        if (x[i] == (unsigned char)byte)
            return (void *)(x + i);
    }
    return 0;
}

void *memrchr(const void *block, int byte, unsigned long n)
{
    const unsigned char *x = block;
    for (unsigned long i = n; i > 0; i--) {
        if (x[i - 1] == (unsigned char)byte)
            return (void *)(x + (i - 1));
    }
    return 0;
}

/* The byte must be there. */
void *rawmemchr(const void *block, int byte)
{
    const unsigned char *x = block;
    while (*x != (unsigned char)byte)
        x++;
    return (void *)x;
}

void *__rawmemchr(const void *block, int byte)
{
    return rawmemchr(block, byte);
}

void *memmem(const void *block, unsigned long n, const void *wanted, unsigned long length)
{
    const char *x = block;
    if (length > n)
        return 0;
    for (unsigned long i = 0; i <= n - length; i++) {
        if (memcmp(x + i, wanted, length) == 0)
            return (void *)(x + i);
    }
    return 0;
}

void *memccpy(void *to, const void *from, int last, unsigned long n)
{
    unsigned char *x = to;
    const unsigned char *y = from;
    for (unsigned long i = 0; i < n; i++) {
        x[i] = y[i];
        if (y[i] == (unsigned char)last)
            return x + i + 1;
    }
    return 0;
}

void *mempcpy(void *to, const void *from, unsigned long n)
{
    memcpy(to, from, n);
    return (char *)to + n;
}

void *__mempcpy(void *to, const void *from, unsigned long n)
{
    memcpy(to, from, n);
    return (char *)to + n;
}

void bcopy(const void *from, void *to, unsigned long n)
{
    memmove(to, from, n);
}

void bzero(void *block, unsigned long n)
{
    memset(block, 0, n);
}

void explicit_bzero(void *block, unsigned long n)
{
    memset(block, 0, n);
}

/* Swaps the bytes of each pair; an odd last byte is left alone, as is everything for n <= 0 (ssize_t is `long`). */
void swab(const void *from, void *to, long n)
{
    const char *x = from;
    char *y = to;
    for (long i = 0; i + 1 < n; i += 2) {
        char first = x[i];
        char second = x[i + 1];
        y[i] = second;
        y[i + 1] = first;
    }
}
