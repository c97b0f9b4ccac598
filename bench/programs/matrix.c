/* Matrix product in double and in unsigned arithmetic: nested loops, two-dimensional indexing. */
#include <stdio.h>

#define N 90

static double a[N][N], b[N][N], c[N][N];
static unsigned ia[N][N], ib[N][N], ic[N][N];

static void fill(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i + 1) * 0.5 + j;
            b[i][j] = (i - j) * 0.25;
            ia[i][j] = (unsigned)(i * 7 + j);
            ib[i][j] = (unsigned)(i ^ j);
        }
}

static void multiply(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            unsigned isum = 0;
            for (int k = 0; k < N; k++) {
                sum += a[i][k] * b[k][j];
                isum += ia[i][k] * ib[k][j];
            }
            c[i][j] = sum;
            ic[i][j] = isum;
        }
}

int main(void)
{
    double trace = 0;
    unsigned hash = 0;
    fill();
    multiply();
    for (int i = 0; i < N; i++) {
        trace += c[i][i];
        for (int j = 0; j < N; j++)
            hash = hash * 31u + ic[i][j];
    }
    printf("%.3f %u\n", trace, hash);
    return 0;
}
