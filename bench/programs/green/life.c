// One step of the game of life on a board without edges.
// expect: safe
#include <assert.h>
#include <stdbool.h>
#include <string.h>

extern bool __VERIFIER_nondet_bool(void);

#define SIZE 4

typedef bool board[SIZE][SIZE];

static int neighbours(const board b, int row, int column)
{
    int count = 0;

    for (int dr = -1; dr <= 1; dr++)
        for (int dc = -1; dc <= 1; dc++) {
            int r = (row + dr + SIZE) % SIZE;
            int c = (column + dc + SIZE) % SIZE;
            if (dr != 0 || dc != 0)
                count += b[r][c];
        }
    return count;
}

static void step(const board from, board to)
{
    for (int r = 0; r < SIZE; r++)
        for (int c = 0; c < SIZE; c++) {
            int n = neighbours(from, r, c);
            to[r][c] = n == 3 || (n == 2 && from[r][c]);
        }
}

int main(void)
{
    board now, next;

    memset(now, 0, sizeof now);
    for (int i = 0; i < SIZE; i++)
        now[1][i] = __VERIFIER_nondet_bool();
    step(now, next);
    for (int c = 0; c < SIZE; c++) {
        assert(!next[3][c]);
        assert(next[0][c] == next[2][c]);
    }
    return 0;
}
