// Fills an area of a picture, and goes over its right border.
// expect: unsafe 19
#include <assert.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

#define WIDTH 4
#define HEIGHT 3

enum { EMPTY, WALL, FILLED };

static unsigned char picture[HEIGHT * WIDTH];

static int fill(int x, int y)
{
    if (x < 0 || y < 0 || x > WIDTH || y >= HEIGHT)
        return 0;
    if (picture[y * WIDTH + x] != EMPTY)
        return 0;
    picture[y * WIDTH + x] = FILLED;
    return 1 + fill(x + 1, y) + fill(x, y + 1);
}

int main(void)
{
    int walls = 0, filled;

    for (int x = 0; x < WIDTH; x++)
        if (__VERIFIER_nondet_bool()) {
            picture[WIDTH + x] = WALL;
            walls++;
        }
    filled = fill(0, 0);
    assert(filled <= WIDTH * HEIGHT - walls);
    if (walls == WIDTH)
        assert(filled == WIDTH);
    if (walls == 0)
        assert(filled == WIDTH * HEIGHT);
    return 0;
}
