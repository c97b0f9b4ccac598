// An array at a variable place, right.
// expect: safe
// engine: predicate
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
    int a[4] = {0, 1, 2, 3};
    unsigned i = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < 4 && i != 2);
    a[i] = 9;
    __VERIFIER_assert(a[2] == 2);
}
