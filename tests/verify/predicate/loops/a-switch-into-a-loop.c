// A switch into a loop.
// expect: safe or unknown
// engine: predicate
// timeout: 2
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), c = 0;
    __VERIFIER_assume(n > 0);
    switch (n & 3) {
    case 0: do { c++;
        case 3: c++;
        case 2: c++;
        case 1: c++;
        } while ((n -= 4) > 0);
    }
    __VERIFIER_assert(c >= 1);
}
