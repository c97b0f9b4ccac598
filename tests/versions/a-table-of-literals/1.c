// A table of literals.
// expect: safe
// engine: bmc
// audit: unknown
// unwind: 4, auto
void __VERIFIER_assert(int);
const char *names[2] = {"ab", "cd"};
char f(int i) { return names[i & 1][0]; }
int main(void) { __VERIFIER_assert(f(1) == 'c'); }
