// A program that calls main.
// expect: safe
#include <assert.h>
static int depth;
int main(int argc, char **argv) {
    if (depth++) {
        assert(argc == -1 && argv == 0);
        return 0;
    }
    return main(-1, 0);
}
