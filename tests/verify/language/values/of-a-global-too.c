// Of a global, too.
// expect: safe
#include <assert.h>
union u {
    int a;
    char b[8];
};
void ext(union u a);
static union u s;
int main(void) {
    s.a = 1;
    ext(s);
    assert(s.a == 1);
    return 0;
}
