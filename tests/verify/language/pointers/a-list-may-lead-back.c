// A list may lead back.
// expect: unsafe 13
// args: --entry f
#include <assert.h>
struct n {
    struct n *next;
    int v;
};
int f(struct n *p) {
    if (p && p->next) {
        p->v = 1;
        p->next->v = 2;
        assert(p->v == 1);
    }
    return 0;
}
