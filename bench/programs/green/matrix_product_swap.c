// The product of two matrices, one of them read with rows and columns swapped.
// expect: unsafe 13
#include <assert.h>

extern char __VERIFIER_nondet_char(void);

#define M 2
#define N 3
#define P 2

static int at(const int *matrix, int columns, int row, int column)
{
    return matrix[row * columns + column];
}

static void multiply(const int a[M * N], const int b[N * P], int c[M * P])
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < P; j++) {
            int sum = 0;
            for (int k = 0; k < N; k++)
                sum += at(a, N, i, k) * at(b, N, k, j);
            c[i * P + j] = sum;
        }
}

int main(void)
{
    int a[M * N] = {1, 0, 0, 0, 1, 0};
    int b[N * P], c[M * P];
    int scale = __VERIFIER_nondet_char();

    for (int i = 0; i < N * P; i++)
        b[i] = scale + i;
    a[2] = scale & 1;
    multiply(a, b, c);
    assert(c[2] == b[2] && c[3] == b[3]);
    assert(c[0] == b[0] + (scale & 1) * b[4]);
    return 0;
}
