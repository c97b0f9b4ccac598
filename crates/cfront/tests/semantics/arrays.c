/* Arrays: of arrays, of structs, decay, row pointers, negative indices, index[array]. */
#include <stdio.h>

static int sum(int n, int m, const int (*a)[4])
{
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            s += a[i][k];
    return s;
}

static void transpose(int a[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < i; k++) {
            int t = a[i][k];
            a[i][k] = a[k][i];
            a[k][i] = t;
        }
}

static void multiply(int r[2][2], int a[2][2], int b[2][2])
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            r[i][k] = 0;
            for (int j = 0; j < 2; j++)
                r[i][k] += a[i][j] * b[j][k];
        }
}

static int cube[2][3][4];
static struct { int id; char name[8]; } table[] = {{1, "one"}, {2, "two"}, {3, "three"}};
static size_t parameter(int a[100]) { return sizeof a; }

int main(void)
{
    int a[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10}};
    printf("%d %d %zu %zu %zu\n", sum(3, 4, a), sum(2, 4, a + 1), sizeof a, sizeof a[0], sizeof a / sizeof *a);
    int sq[3][3] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    transpose(sq);
    for (int i = 0; i < 9; i++)
        printf("%d ", sq[i / 3][i % 3]);
    printf("\n");
    int x[2][2] = {{1, 1}, {1, 0}}, y[2][2] = {{1, 0}, {0, 1}}, r[2][2];
    for (int i = 0; i < 10; i++) {
        multiply(r, x, y);
        for (int k = 0; k < 4; k++)
            y[k / 2][k % 2] = r[k / 2][k % 2];
    }
    printf("%d %d %d\n", y[0][0], y[0][1], y[1][1]);

    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                cube[i][j][k] = i * 100 + j * 10 + k;
    int(*plane)[4] = cube[1];
    int *row = plane[2];
    printf("%d %d %d %d\n", plane[0][3], row[1], *(*(*(cube + 1) + 1) + 2), *(row - 1));
    printf("%ld %ld\n", (long)(&cube[1] - cube), (long)(&cube[1][2] - &cube[1][0]));
    printf("%d %d\n", 2[row], *(1 + row));
    int *end = row + 4;
    printf("%d %d %d\n", end[-1], *(end - 4), end[-2] == row[2]);

    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
        printf("%d%s%c ", table[i].id, table[i].name, table[i].name[0]);
    printf("%c %zu %zu\n", *table[2].name, sizeof table[0].name, parameter(row));
    char text[][6] = {"ab", "cde", "fghij"};
    text[0][1] = text[2][4];
    printf("%s %s %zu\n", text[0], text[1], sizeof text);
    int(*whole)[3][4] = &a;
    (*whole)[2][3] = 77;
    printf("%d %d\n", a[2][3], (**whole)[2]);
    long sizes[sizeof(int) * 2] = {[3] = 5};
    return sizes[3] + (int)sizeof sizes;
}
