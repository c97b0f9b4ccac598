// An extern function.
// expect: unsafe 6
// engine: bmc
void __VERIFIER_assert(int);
extern int outside(int);
int main(void) { __VERIFIER_assert(outside(1) == outside(1)); }
