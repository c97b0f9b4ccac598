// On one path only.
// expect: safe
#include <assert.h>
void ext(int *p);
int nondet_int(void);
int main(void) {
    int x = 0, c = nondet_int();
    if (c) ext(&x);
    if (!c) assert(x == 0);
    return 0;
}
