// A double in a loop.
// expect: safe or unknown
// engine: predicate
// timeout: 2
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    double d = 1.0;
    while (__VERIFIER_nondet_int()) d = d > 4.0 ? 1.0 : d + 1.0;
    __VERIFIER_assert(d >= 1.0 && d <= 5.0);
}
