// expect: unsafe 8

#include <assert.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int h;
    if (argc > 1 && sscanf(argv[1], "%2d", &h) == 1)
        assert(h >= -8);
    return 0;
}
