/* CBMC's primitives that C can say with a few questions about memory. */

unsigned long __reprove_room(const void *block);
int __reprove_readable(const void *block, unsigned long n);
int __reprove_writable(const void *block, unsigned long n);
int __reprove_freeable(const void *block);
void __reprove_havoc(void *block, unsigned long n);
void *malloc(unsigned long size);
void free(void *block);
void *memset(void *to, int byte, unsigned long n);
void *memmove(void *to, const void *from, unsigned long n);
int memcmp(const void *a, const void *b, unsigned long n);

/* The start of an object is where the byte before is not part of it any more. */
static const char *start(const void *pointer)
{
    const char *p = pointer;
    if (__reprove_readable(p, 1) || __reprove_readable(p - 1, 1)) {
        while (__reprove_readable(p - 1, 1))
            p--;
    }
    return p;
}

unsigned long __CPROVER_OBJECT_SIZE(const void *pointer)
{
    return pointer == 0 ? 0 : __reprove_room(start(pointer));
}

unsigned long __CPROVER_POINTER_OFFSET(const void *pointer)
{
    return (unsigned long)((const char *)pointer - start(pointer));
}

unsigned long __CPROVER_POINTER_OBJECT(const void *pointer)
{
    return (unsigned long)start(pointer);
}

_Bool __CPROVER_same_object(const void *a, const void *b)
{
    return start(a) == start(b);
}

_Bool __CPROVER_DYNAMIC_OBJECT(const void *pointer)
{
    return pointer != 0 && __reprove_freeable(start(pointer));
}

_Bool __CPROVER_is_freeable(const void *pointer)
{
    return __reprove_freeable(pointer);
}

_Bool __CPROVER_LIVE_OBJECT(const void *pointer)
{
    return __reprove_readable(pointer, 1);
}

_Bool __CPROVER_WRITEABLE_OBJECT(const void *pointer)
{
    return __reprove_writable(pointer, 1);
}

_Bool __CPROVER_r_ok(const void *pointer, unsigned long n)
{
    return __reprove_readable(pointer, n);
}

_Bool __CPROVER_w_ok(const void *pointer, unsigned long n)
{
    return __reprove_writable(pointer, n);
}

_Bool __CPROVER_rw_ok(const void *pointer, unsigned long n)
{
    return __reprove_writable(pointer, n);
}

void __CPROVER_havoc_object(void *pointer)
{
    char *p = (char *)start(pointer);
    __reprove_havoc(p, __reprove_room(p));
}

void __CPROVER_havoc_slice(void *pointer, unsigned long n)
{
    __reprove_havoc(pointer, n);
}

void __VERIFIER_nondet_memory(void *pointer, unsigned long n)
{
    __reprove_havoc(pointer, n);
}

void __CPROVER_array_copy(const void *to, const void *from)
{
    unsigned long wanted = __reprove_room(to);
    unsigned long there = __reprove_room(from);
    memmove((void *)to, from, there < wanted ? there : wanted);
}

void __CPROVER_array_replace(const void *to, const void *from)
{
    memmove((void *)to, from, __reprove_room(from));
}

_Bool __CPROVER_array_equal(const void *a, const void *b)
{
    unsigned long n = __reprove_room(a);
    return n == __reprove_room(b) && memcmp(a, b, n) == 0;
}

void *__CPROVER_allocate(unsigned long size, int zero)
{
    void *block = malloc(size);
    if (block != 0 && zero)
        memset(block, 0, size);
    return block;
}

void __CPROVER_deallocate(void *block)
{
    free(block);
}

/* The value, seen as one of `bits` bits, moved to the left: does it leave its type? */
_Bool __reprove_overflow_shl(long long value, long long count, int bits, int is_signed)
{
    if (count < 0 || count >= bits)
        return 1;
    if (value == 0)
        return 0;
    int most = is_signed ? bits - 1 : bits;
    if (is_signed && value < 0)
        return 1;
    unsigned long long x = (unsigned long long)value;
    if (count == 0)
        return 0;
    return x >> (most - count) != 0;
}
