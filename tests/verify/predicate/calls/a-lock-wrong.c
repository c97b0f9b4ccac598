// A lock, wrong.
// expect: unsafe 12
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int held;
void take(void) {
    __VERIFIER_assert(!held);
    held = 1;
}
void give(void) {
    __VERIFIER_assert(held);
    held = 0;
}
int main(void) {
    int old, new;
    do {
        take();
        old = new = __VERIFIER_nondet_int();
        if (__VERIFIER_nondet_int()) { give(); }
    } while (new != old);
    give();
}
