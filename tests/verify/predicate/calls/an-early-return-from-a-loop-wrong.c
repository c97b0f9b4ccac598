// An early return from a loop, wrong.
// expect: unsafe 13
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int find(int n) {
    for (int i = 0; i < 5; i++)
        if (i == n) return i;
    return -1;
}
int main(void) {
    int n = __VERIFIER_nondet_int(), r = find(n);
    __VERIFIER_assert(r != 3);
}
