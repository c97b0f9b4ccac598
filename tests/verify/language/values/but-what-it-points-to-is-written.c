// But what it points to is written.
// expect: unsafe 12
#include <assert.h>
struct s {
    int *p;
};
void ext(struct s a);
int main(void) {
    int x = 1;
    struct s s = {&x};
    ext(s);
    assert(x == 1);
    return 0;
}
