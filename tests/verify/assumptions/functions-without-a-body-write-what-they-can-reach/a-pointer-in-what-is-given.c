// A pointer in what is given.
// expect: unsafe 13
#include <assert.h>
struct s {
    int a;
    int *p;
};
void ext(struct s *s);
int main(void) {
    int x = 0;
    struct s s = {1, &x};
    ext(&s);
    assert(x == 0);
    return 0;
}
