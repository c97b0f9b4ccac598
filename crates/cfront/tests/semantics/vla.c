/* Variable-length arrays: sizes fixed at the declaration, several dimensions, parameters, pointers, loops. */
#include <stdio.h>

static int calls;
static int size(int n)
{
    calls++;
    return n;
}

static int sum(int n, int m, int a[n][m])
{
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            s += a[i][k] * (i + 1);
    return s;
}

static void fill(int n, int (*a)[n], int rows)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < n; k++)
            a[i][k] = i * n + k;
}

static int pascal(int n)
{
    int row[n + 1];
    for (int i = 0; i <= n; i++) {
        row[i] = 1;
        for (int k = i - 1; k > 0; k--)
            row[k] += row[k - 1];
    }
    int best = 0;
    for (int i = 0; i <= n; i++)
        best = row[i] > best ? row[i] : best;
    return best;
}

static int deep(int n)
{
    char own[n];
    for (int i = 0; i < n; i++)
        own[i] = (char)(i + n);
    int below = n > 1 ? deep(n - 1) : 0;
    return below + own[0] + own[n - 1];
}

int main(void)
{
    int n = 4;
    int a[n];
    n = 10;
    printf("%zu %zu\n", sizeof a, sizeof a / sizeof *a);
    for (int i = 0; i < 4; i++)
        a[i] = i;
    printf("%d\n", a[0] + a[1] + a[2] + a[3]);
    int m[size(3)][size(5)];
    fill(5, m, 3);
    printf("%d %d %zu %zu %d\n", sum(3, 5, m), m[2][4], sizeof m, sizeof m[0], calls);
    for (int k = 1; k < 5; k++) {
        int b[k];
        b[k - 1] = k;
        printf("%zu:%d ", sizeof b, b[k - 1]);
    }
    printf("\n%d %d %d\n", pascal(6), pascal(10), deep(20));
    int(*row)[5] = m + 1;
    printf("%d %ld\n", (*row)[2], (long)(&m[2] - row));
    int w = 3;
    int cube[2][w][w + 1];
    for (int i = 0; i < 2 * w * (w + 1); i++)
        cube[i / 12][i / 4 % 3][i % 4] = i;
    int(*plane)[w][w + 1] = &cube[1];
    w = 100;
    printf("%d %zu %zu\n", (*plane)[2][1], sizeof cube, sizeof *plane);
    typedef int line[n];
    n = 2;
    line x, y;
    x[9] = 7, y[0] = 8;
    printf("%zu %zu %d\n", sizeof(line), sizeof x, x[9] + y[0]);
    struct { int v; } s[w / 25];
    s[3].v = 11;
    printf("%zu %zu\n", sizeof s, sizeof(char[size(9)]));
    int count = 0;
again:;
    int length = count + 2;
    short jumped[length];
    jumped[length - 1] = (short)count;
    if (++count < 4)
        goto again;
    return jumped[length - 1] + calls + (int)sizeof jumped;
}
