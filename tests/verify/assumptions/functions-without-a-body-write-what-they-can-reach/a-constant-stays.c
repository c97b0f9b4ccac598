// A constant stays.
// expect: safe
#include <assert.h>
static const int table[2] = {1, 2};
void ext(const int *p);
int main(void) {
    ext(table);
    assert(table[1] == 2);
    return 0;
}
