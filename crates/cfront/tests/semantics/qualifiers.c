/* const, volatile, restrict, register, inline, noreturn, attributes: no change of meaning. */
#include <stdio.h>
#include <stdlib.h>

static volatile int device = 5;
static inline int square(const int x) { return x * x; }
static __inline__ __attribute__((always_inline)) int cube(int x) { return x * square(x); }
static _Noreturn void stop(int code) { exit(code); }
__attribute__((noinline)) static int add(int a, int b) { return a + b; }
static int unused(int a __attribute__((unused))) { return 3; }
static void copy(int n, int *restrict to, const int *restrict from)
{
    while (n-- > 0)
        *to++ = *from++;
}
static int first(const int a[static 2]) { return a[0]; }
static int last(const int a[const], int n) { return a[n - 1]; }
extern int visible __attribute__((visibility("default")));
int visible = 4;
static const volatile unsigned long port = 0x1000;
static int __attribute__((aligned(64))) aligned = 8;
static _Thread_local int per_thread = 3;

static int sum(register const int *p, register int n)
{
    register int s = 0;
    for (; n > 0; n--)
        s += *p++;
    return s;
}

struct lock { volatile unsigned value : 3; const char *const name; };

int main(void)
{
    device += 2;
    device = device * device;
    int a = device, b = device - a;
    printf("%d %d\n", a, b);
    printf("%d %d %d %d\n", square(5), cube(3), add(1, 2), unused(0));
    int x[4] = {1, 2, 3, 4}, y[4];
    copy(4, y, x);
    printf("%d %d %d %d\n", sum(y, 4), first(y), last(y, 4), visible);
    const int c = 10;
    const int *pc = &c;
    int *const cp = x;
    *cp = *pc;
    const int *const *ppc = &pc;
    volatile int *vp = &x[1];
    *vp += **ppc;
    printf("%d %d %lu %d\n", x[0], x[1], port, aligned);
    struct lock l = {9, "lock"};
    l.value++;
    per_thread++;
    printf("%d %s %d\n", l.value, l.name, per_thread);
    asm volatile("" ::: "memory");
    signed const volatile long long int odd = 5;
    long unsigned int static counter;
    int typedef number;
    number n = counter++ + odd;
    if (n == 5)
        stop(a);
    return 1;
}
