// The same in a struct that is passed, beside a member that changed.
// expect: unsafe 15
#include <assert.h>
struct s {
    int *p;
    int n;
};
void ext(struct s *);
int main(void) {
    int x = 1;
    struct s s = {&x, 0};
    ext(&s);
    x = 1;
    *s.p = 2;
    assert(x == 1 || s.n == 0);
    return 0;
}
