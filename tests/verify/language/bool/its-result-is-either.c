// Its result is either.
// expect: unsafe 7
#include <assert.h>
_Bool ext(void);
int main(void) {
    int n = ext();
    assert(n == 0);
    return 0;
}
