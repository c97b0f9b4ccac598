// expect: unsafe 4
void __VERIFIER_assert(int);
const char *name(void) { return "acc"; }
int main(void) { __VERIFIER_assert(name()[1] == 'b'); }
