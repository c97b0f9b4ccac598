// Unknown bound, a sum of two.
// expect: unknown safe up to 12
// engine: bmc
// unwind: 12
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), s = 0, t = 0;
    for (unsigned i = 0; i < n; i++)
        if (__VERIFIER_nondet_int()) s++;
        else t++;
    __VERIFIER_assert(s + t == n);
}
