// Any text.
// expect: unsafe 6
#include <assert.h>
#include <string.h>
int main(int argc, char *argv[]) {
    assert(argc < 3 || strcmp(argv[2], "-v"));
    return 0;
}
