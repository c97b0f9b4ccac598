// All others are texts.
// expect: safe
// check: memory
#include <assert.h>
int main(int argc, char **argv) {
    int n = 0;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-') n++;
    assert(n < 8);
    return 0;
}
