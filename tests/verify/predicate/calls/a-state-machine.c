// A state machine.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int s;
void event(int e) {
    switch (s) {
    case 0:
        if (e == 1) s = 1;
        break;
    case 1:
        if (e == 2) s = 2;
        else s = 0;
        break;
    case 2: s = 0; break;
    default: __VERIFIER_assert(0);
    }
}
int main(void) {
    while (1) event(__VERIFIER_nondet_int());
}
