// The same in a list.
// expect: unsafe 15
#include <assert.h>
struct n {
    struct n *next;
    int v;
};
void ext(struct n *);
int main(void) {
    struct n b = {0, 2}, a = {&b, 1};
    ext(&a);
    if (a.next) {
        b.v = 0;
        a.next->v = 5;
        assert(b.v == 0);
    }
    return 0;
}
