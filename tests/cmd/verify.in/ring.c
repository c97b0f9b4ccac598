#include <assert.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int table[4];
int limit = 4;

static int twice(int n) {
    int r = n + n;
    return r;
}

static int noise(int k) {
    int s = 0;
    for (int i = 0; i < k; i++)
        s += i;
    return s;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 0 && x < 100);
    int unused = noise(x % 3);
    table[2] = twice(2);
    if (table[2] == limit)
        limit = x;
    assert(limit != 42);
    return unused;
}
