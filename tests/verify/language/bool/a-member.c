// A member.
// expect: safe
#include <assert.h>
struct s {
    int n;
    _Bool b;
};
void ext(struct s *s);
int main(void) {
    struct s s = {0};
    ext(&s);
    struct s t = s;
    assert(s.b <= 1 && t.b <= 1);
    return 0;
}
