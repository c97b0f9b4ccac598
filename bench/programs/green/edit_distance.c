// The edit distance of two texts.
// expect: safe
#include <assert.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);
#define M 3

static int min3(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

static int lev(const char *a, const char *b)
{
    int n = (int)strlen(a), m = (int)strlen(b), d[M + 1][M + 1];
    for (int i = 0; i <= n; i++)
        d[i][0] = i;
    for (int j = 0; j <= m; j++)
        d[0][j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
    return d[n][m];
}

int main(void)
{
    char a[M + 1], b[M + 1];
    for (int i = 0; i < M; i++) {
        a[i] = __VERIFIER_nondet_char();
        b[i] = __VERIFIER_nondet_char();
    }
    a[M] = b[M] = 0;
    int r = lev(a, b);
    assert(r >= 0 && r <= M);
    assert((r == 0) == (strcmp(a, b) == 0));
}
