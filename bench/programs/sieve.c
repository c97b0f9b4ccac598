/* The sieve of Eratosthenes: array stores and short loops. */
#include <stdio.h>

#define LIMIT 2000000

static unsigned char composite[LIMIT + 1];

static int sieve(void)
{
    int count = 0;
    for (int i = 2; i <= LIMIT; i++) {
        if (composite[i])
            continue;
        count++;
        for (long j = (long)i * i; j <= LIMIT; j += i)
            composite[j] = 1;
    }
    return count;
}

int main(void)
{
    printf("%d\n", sieve());
    return 0;
}
