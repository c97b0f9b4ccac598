// expect: safe

#include <assert.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int h, m;
    unsigned u;
    if (argc > 1 && sscanf(argv[1], "%2d:%3d %2u", &h, &m, &u) == 3) {
        assert(h <= 99 && h >= -9 && m <= 999 && m >= -99);
        assert(u <= 99 || u >= -9u);
    }
    return 0;
}
