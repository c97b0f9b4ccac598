// A field that stays below another.
// expect: safe
// check: memory
#include <assert.h>
int __VERIFIER_nondet_int(void);
struct pool {
    unsigned used, size;
    int item[20];
};
int main(void) {
    struct pool p = {0};
    p.size = 20;
    while (__VERIFIER_nondet_int()) {
        if (p.used < p.size) p.item[p.used++] = 1;
        else if (p.used) p.used--;
        assert(p.used <= p.size);
    }
    return 0;
}
