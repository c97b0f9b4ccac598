// A literal.
// expect: safe
// engine: bmc
// unwind: 4, auto
void __VERIFIER_assert(int);
const char *name(void) { return "abc"; }
int main(void) { __VERIFIER_assert(name()[1] == 'b'); }
