/* Loops: every form, break and continue, empty bodies and headers, nested, counting down with unsigned. */
#include <stdio.h>

static int trace;
static int note(int x)
{
    trace = trace * 7 % 100003 + x;
    return x;
}

int main(void)
{
    int n = 0;
    while (n < 5)
        n++;
    printf("%d ", n);
    do
        n--;
    while (n > 2);
    printf("%d ", n);
    do {
        n += 100;
    } while (0);
    printf("%d ", n);
    for (;;) {
        if (++n > 110)
            break;
    }
    printf("%d ", n);
    for (n = 0; n < 10; n++) {
        if (n == 3)
            continue;
        if (n == 6)
            break;
        printf("%d,", n);
    }
    printf("\n");
    for (unsigned u = 3; u-- > 0;)
        printf("%u ", u);
    for (int i = 0, k = 10; i < k; i += 2, k--)
        printf("%d:%d ", i, k);
    for (char c = 'a'; c <= 'e'; c++)
        putchar(c);
    printf("\n");
    int i = 0;
    do {
        if (i == 2) {
            i += 5;
            continue;
        }
        i++;
    } while (note(i) < 10);
    printf("%d %d\n", i, trace);
    for (note(1); note(2) && trace % 5; note(3))
        note(4);
    printf("%d\n", trace);
    int count = 0;
    for (int a = 1; a < 30; a++)
        for (int b = a; b < 30; b++)
            for (int c = b; c < 30; c++) {
                if (a * a + b * b < c * c)
                    break;
                if (a * a + b * b != c * c)
                    continue;
                count++;
            }
    printf("%d\n", count);
    int sieve[50] = {0}, primes = 0;
    for (int p = 2; p < 50; p++) {
        if (sieve[p])
            continue;
        primes++;
        for (int q = p * p; q < 50; q += p)
            sieve[q] = 1;
    }
    const char *s = "length";
    const char *e = s;
    while (*e++)
        ;
    printf("%d %d\n", primes, (int)(e - s - 1));
    for (float f = 0; f < 1; f += 0.25f)
        printf("%g ", f);
    int outer = 0;
    while (1) {
        while (1) {
            if (++outer % 3 == 0)
                break;
        }
        if (outer > 10)
            break;
    }
    for (struct { int a, b; } s = {0, 1}; s.b < 50; s.b += s.a, s.a = s.b - s.a)
        printf("%d ", s.b);
    printf("%d\n", outer);
    unsigned char wrap = 250;
    int steps = 0;
    while (wrap++)
        steps++;
    return steps;
}
