// The number may be large.
// expect: unsafe 5
#include <assert.h>
int main(int argc, char **argv) {
    assert(argc < 1000);
    return 0;
}
