// A struct that is returned.
// expect: safe
#include <assert.h>
struct s {
    int n;
    _Bool b;
};
struct s ext(void);
int main(void) {
    struct s s = ext();
    assert((s.b == 1) == (s.b != 0));
    return 0;
}
