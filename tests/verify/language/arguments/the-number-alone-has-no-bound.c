// The number alone has no bound.
// expect: safe
// assumes-not: arguments
#include <assert.h>
int main(int argc, char **argv) {
    assert(argc >= 0);
    return 0;
}
