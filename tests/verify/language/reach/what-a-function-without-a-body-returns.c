// What a function without a body returns.
// expect: unsafe 9
#include <assert.h>
int *get(void);
int main(void) {
    int *p = get();
    if (p) {
        int v = *p;
        assert(v == 0);
    }
    return 0;
}
