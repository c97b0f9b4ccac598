// They can be changed.
// expect: safe
// check: memory
#include <assert.h>
int main(int argc, char *argv[]) {
    argv[0][0] = 'x';
    argc--;
    argv++;
    assert(argv[-1][0] == 'x' && argv[argc] == 0);
    return 0;
}
