// expect: safe
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int x = 1;
int f(int c) {
    int *p = c == 7 ? 0 : &x;
    return *p;
}
int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) == 1); }
