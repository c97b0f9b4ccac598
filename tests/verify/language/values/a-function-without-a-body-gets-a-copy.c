// A function without a body gets a copy.
// expect: safe
#include <assert.h>
struct s {
    int a[2];
};
void ext(struct s a);
int main(void) {
    struct s s = {{1, 2}};
    ext(s);
    assert(s.a[0] == 1);
    return 0;
}
