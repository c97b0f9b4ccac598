// An extern global.
// expect: unsafe 6
// engine: bmc
void __VERIFIER_assert(int);
extern int g;
int main(void) { __VERIFIER_assert(g == 0); }
