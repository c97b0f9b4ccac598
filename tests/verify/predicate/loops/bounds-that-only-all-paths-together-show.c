// Bounds that only all paths together show.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
    int length = __VERIFIER_nondet_int(), given = __VERIFIER_nondet_int();
    int in = 0, out = 0, limit = length - 2;
    __VERIFIER_assume(given > 0 && given < 100000 && length < 100000 && length > given + 2);
    while (__VERIFIER_nondet_int()) {
        if (out == limit) break;
        __VERIFIER_assert(0 <= out && out < length);
        out++;
        if (in == given) break;
        in++;
        __VERIFIER_assert(0 <= in && in <= given);
    }
    __VERIFIER_assert(out < length);
    return 0;
}
