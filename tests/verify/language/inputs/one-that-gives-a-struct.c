// One that gives a struct.
// expect: unsafe 10
#include <assert.h>
struct s {
    int a;
};
struct s nondet_s(void);
int main(void) {
    struct s s = nondet_s();
    assert(s.a == 0);
    return 0;
}
