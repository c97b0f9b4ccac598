// An array.
// expect: unsafe 8
#include <assert.h>
void ext(char *p);
int main(void) {
    char b[16] = "abc";
    ext(b + 3);
    assert(b[0] == 'a');
    return 0;
}
