// Hook table.
// expect: unsafe 14
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
    assert(b[0] == 'a');
    return 0;
}
