/* goto: out of nested loops, into loops and blocks, backwards, across declarations, state machines. */
#include <stdio.h>

static int find(int a[3][4], int wanted)
{
    int i, k;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 4; k++)
            if (a[i][k] == wanted)
                goto found;
    return -1;
found:
    return i * 10 + k;
}

/* Enters the loop in its middle: the first test and step are skipped. */
static int middle(int n)
{
    int i = 5, s = 0;
    if (n > 3)
        goto inside;
    for (i = 0; i < n; i++) {
        s += 100;
    inside:
        s += i;
    }
    return s;
}

static int word_count(const char *s)
{
    int words = 0;
outside:
    if (*s == 0)
        goto done;
    if (*s++ == ' ')
        goto outside;
    words++;
within:
    if (*s == 0)
        goto done;
    if (*s++ != ' ')
        goto within;
    goto outside;
done:
    return words;
}

static int cleanup(int fail)
{
    int freed = 0;
    if (fail == 1)
        goto out;
    freed += 1;
    if (fail == 2)
        goto out_one;
    freed += 10;
    if (fail == 3)
        goto out_two;
    return freed;
out_two:
    freed += 1000;
out_one:
    freed += 100;
out:
    return -freed;
}

static int collatz(unsigned n)
{
    int steps = 0;
again:
    if (n == 1)
        return steps;
    steps++;
    n = n % 2 ? 3 * n + 1 : n / 2;
    goto again;
}

static int into_block(int x)
{
    int r = 0;
    if (x)
        goto in_else;
    if (x == 0) {
        int local = 7;
        r += local;
    } else {
    in_else:
        r += 2;
    }
    switch (x) {
        if (0) {
        case 2: r += 20;
        }
    case 1: r += 100;
    default:;
    }
    {
        int fresh = x;
        if (r < 300 && fresh) {
            r += 100;
            goto in_else;
        }
    }
    return r;
}

int main(void)
{
    int a[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
    printf("%d %d %d\n", find(a, 7), find(a, 1), find(a, 99));
    printf("%d %d %d\n", middle(2), middle(4), middle(9));
    printf("%d %d %d\n", word_count(""), word_count("  two words "), word_count("a b c"));
    for (int i = 0; i < 5; i++)
        printf("%d ", cleanup(i));
    printf("\n%d %d\n", collatz(27), collatz(1));
    printf("%d %d %d %d\n", into_block(0), into_block(1), into_block(2), into_block(3));
    int i = 0;
loop:;
    int declared_again = i * 2;
    printf("%d ", declared_again);
    if (++i < 4)
        goto loop;
    printf("\n");
    do {
        if (i == 6)
            goto leave;
        continue;
    leave:
        break;
    } while (i++ < 10);
    return i;
}
