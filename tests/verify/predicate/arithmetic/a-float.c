// A float.
// expect: safe or unknown
// engine: predicate
// timeout: 2
float __VERIFIER_nondet_float(void);
void __VERIFIER_assert(int);
int main(void) {
    float f = __VERIFIER_nondet_float();
    if (f > 1.0f && f < 2.0f) __VERIFIER_assert(f + f > 2.0f);
}
