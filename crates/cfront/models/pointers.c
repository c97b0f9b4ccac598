/* Functions that are operations, for programs that take their address: `void *(*alloc)(size_t) = malloc;`. The name after the
   prefix is whose address it is. */

void *malloc(unsigned long size);
void free(void *block);
void cfree(void *block);
void *realloc(void *block, unsigned long size);
void *memcpy(void *to, const void *from, unsigned long n);
void *memmove(void *to, const void *from, unsigned long n);
void *memset(void *to, int byte, unsigned long n);
void exit(int status);
void _exit(int status);
void _Exit(int status);
void abort(void);

void *__reprove_pointer_malloc(unsigned long size)
{
    return malloc(size);
}

void __reprove_pointer_free(void *block)
{
    free(block);
}

void __reprove_pointer_cfree(void *block)
{
    cfree(block);
}

void *__reprove_pointer_realloc(void *block, unsigned long size)
{
    return realloc(block, size);
}

void *__reprove_pointer_memcpy(void *to, const void *from, unsigned long n)
{
    return memcpy(to, from, n);
}

void *__reprove_pointer_memmove(void *to, const void *from, unsigned long n)
{
    return memmove(to, from, n);
}

void *__reprove_pointer_memset(void *to, int byte, unsigned long n)
{
    return memset(to, byte, n);
}

void __reprove_pointer_exit(int status)
{
    exit(status);
}

void __reprove_pointer__exit(int status)
{
    _exit(status);
}

void __reprove_pointer__Exit(int status)
{
    _Exit(status);
}

void __reprove_pointer_abort(void)
{
    abort();
}

double __reprove_pointer_sqrt(double x)
{
    return __builtin_sqrt(x);
}

float __reprove_pointer_sqrtf(float x)
{
    return __builtin_sqrtf(x);
}

long double __reprove_pointer_sqrtl(long double x)
{
    return __builtin_sqrtl(x);
}

double __reprove_pointer_fabs(double x)
{
    return __builtin_fabs(x);
}

float __reprove_pointer_fabsf(float x)
{
    return __builtin_fabsf(x);
}

long double __reprove_pointer_fabsl(long double x)
{
    return __builtin_fabsl(x);
}

double __reprove_pointer_floor(double x)
{
    return __builtin_floor(x);
}

float __reprove_pointer_floorf(float x)
{
    return __builtin_floorf(x);
}

long double __reprove_pointer_floorl(long double x)
{
    return __builtin_floorl(x);
}

double __reprove_pointer_ceil(double x)
{
    return __builtin_ceil(x);
}

float __reprove_pointer_ceilf(float x)
{
    return __builtin_ceilf(x);
}

long double __reprove_pointer_ceill(long double x)
{
    return __builtin_ceill(x);
}

double __reprove_pointer_trunc(double x)
{
    return __builtin_trunc(x);
}

float __reprove_pointer_truncf(float x)
{
    return __builtin_truncf(x);
}

long double __reprove_pointer_truncl(long double x)
{
    return __builtin_truncl(x);
}

double __reprove_pointer_rint(double x)
{
    return __builtin_rint(x);
}

float __reprove_pointer_rintf(float x)
{
    return __builtin_rintf(x);
}

long double __reprove_pointer_rintl(long double x)
{
    return __builtin_rintl(x);
}

double __reprove_pointer_nearbyint(double x)
{
    return __builtin_nearbyint(x);
}

float __reprove_pointer_nearbyintf(float x)
{
    return __builtin_nearbyintf(x);
}

long double __reprove_pointer_nearbyintl(long double x)
{
    return __builtin_nearbyintl(x);
}

double __reprove_pointer_round(double x)
{
    return __builtin_round(x);
}

float __reprove_pointer_roundf(float x)
{
    return __builtin_roundf(x);
}

long double __reprove_pointer_roundl(long double x)
{
    return __builtin_roundl(x);
}

double __reprove_pointer_roundeven(double x)
{
    return __builtin_roundeven(x);
}

float __reprove_pointer_roundevenf(float x)
{
    return __builtin_roundevenf(x);
}

long double __reprove_pointer_roundevenl(long double x)
{
    return __builtin_roundevenl(x);
}
