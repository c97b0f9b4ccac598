// Transposes a square picture in place and a flat one into another.
// expect: safe
#include <assert.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define SIZE 3

typedef unsigned char picture[SIZE][SIZE];

static void transpose(picture p)
{
    for (int r = 0; r < SIZE; r++)
        for (int c = r + 1; c < SIZE; c++) {
            unsigned char pixel = p[r][c];
            p[r][c] = p[c][r];
            p[c][r] = pixel;
        }
}

static void mirror(picture p)
{
    for (int r = 0; r < SIZE; r++)
        for (int c = 0; c < SIZE / 2; c++) {
            unsigned char pixel = p[r][c];
            p[r][c] = p[r][SIZE - 1 - c];
            p[r][SIZE - 1 - c] = pixel;
        }
}

int main(void)
{
    picture before, after;

    for (int r = 0; r < SIZE; r++)
        for (int c = 0; c < SIZE; c++)
            before[r][c] = __VERIFIER_nondet_uchar();
    memcpy(after, before, sizeof after);
    transpose(after);
    for (int r = 0; r < SIZE; r++)
        for (int c = 0; c < SIZE; c++)
            assert(after[r][c] == before[c][r]);
    mirror(after);
    assert(after[0][SIZE - 1] == before[0][0]);
    return 0;
}
