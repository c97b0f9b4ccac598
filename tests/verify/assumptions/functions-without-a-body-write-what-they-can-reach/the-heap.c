// The heap.
// expect: unsafe 10
#include <assert.h>
#include <stdlib.h>
void ext(int *p);
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    ext(p);
    assert(*p == 1);
    return 0;
}
