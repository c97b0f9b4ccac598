// A function without a body.
// expect: unsafe 6
// engine: predicate
void __VERIFIER_assert(int);
extern int outside(int);
int main(void) { __VERIFIER_assert(outside(1) == outside(1)); }
