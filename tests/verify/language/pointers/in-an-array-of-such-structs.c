// In an array of such structs.
// expect: safe
// check: memory
#include <assert.h>
unsigned nondet_uint(void);
struct s {
    int *v;
    char c[8];
};
int main(void) {
    int a = 1, b = 2;
    struct s s[2] = {{&a, ""}, {&b, ""}};
    unsigned x = nondet_uint(), y = nondet_uint();
    if (x < 2 && y < 8) s[x].c[y] = 'a';
    assert(*s[0].v == 1 && *s[1].v == 2);
    return 0;
}
