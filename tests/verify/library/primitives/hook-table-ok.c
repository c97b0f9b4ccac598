// Hook table ok.
// expect: safe or unknown
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct ops {
    void *(*set)(void *, int, size_t);
    void *(*copy)(void *, const void *, size_t);
} ops = {memset, memcpy};
int main(void) {
    char a[4] = "ab", b[4];
    ops.copy(b, a, 3);
    ops.set(b, 'x', 1);
    assert(b[0] == 'x' && b[1] == 'b');
    return 0;
}
