/* Storage that lives as long as the program: static locals, file scope, zero initialisation, address constants. */
#include <stdio.h>

static int zero;
int tentative;
int tentative;
static long array[5];
static struct { char c; double d; int *p; } record;
extern int later;
static int *to_later = &later;
int later = 17;
static int table[] = {1, 2, 3, 4};
static int *middle = table + 2;
static int *const last = &table[sizeof table / sizeof *table - 1];
static const char *words[] = {"zero", "one", "two"};
static char buffer[8] = "abc";

static int counter(void)
{
    static int n = 10;
    return n++;
}

static int *own(int which)
{
    static int a, b = 5;
    return which ? &a : &b;
}

static int nested(int depth)
{
    static int deepest;
    if (depth > deepest)
        deepest = depth;
    if (depth < 5)
        nested(depth + 1);
    return deepest;
}

static int shadow(void)
{
    static int zero = 3;
    {
        static int zero = 4;
        zero++;
        if (zero > 6)
            return zero;
    }
    zero += 10;
    return zero;
}

static const char *name(int i)
{
    static const char *const names[] = {"a", "b", "c"};
    static char out[4];
    out[0] = '<';
    out[1] = names[i % 3][0];
    out[2] = '>';
    return out;
}

int main(void)
{
    printf("%d %d %ld %d %g %d\n", zero, tentative, array[4], record.c, record.d, record.p == 0);
    printf("%d %d %d %d\n", *to_later, *middle, middle[-1], *last);
    *to_later = 20;
    printf("%d\n", later);
    for (int i = 0; i < 3; i++)
        printf("%d ", counter());
    printf("%d\n", counter() + counter());
    *own(0) += 7;
    *own(1) -= 1;
    printf("%d %d %d\n", *own(0), *own(1), own(0) == own(1));
    printf("%d %d\n", nested(2), nested(0));
    printf("%d ", shadow());
    printf("%d ", shadow());
    printf("%d ", shadow());
    printf("%d\n", zero);
    printf("%s ", name(1));
    printf("%s\n", name(5));
    for (int i = 0; i < 3; i++) {
        static int across;
        int fresh = 0;
        across += i + 1;
        fresh += i + 1;
        printf("%d %d ", across, fresh);
    }
    printf("\n%s %d %d\n", words[2], buffer[3], buffer[7]);
    extern int tentative;
    tentative = 5;
    {
        int tentative = 6;
        {
            extern int tentative;
            tentative++;
        }
        printf("%d ", tentative);
    }
    printf("%d\n", tentative);
    return counter();
}
