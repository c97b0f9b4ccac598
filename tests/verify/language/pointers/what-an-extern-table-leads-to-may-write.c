// What an extern table leads to may write.
// expect: unsafe 11
#include <assert.h>
struct ops {
    void (*f)(int *);
};
extern struct ops o;
int main(void) {
    int x = 2;
    o.f(&x);
    assert(x == 2);
    return 0;
}
