// expect: unsafe 4
void __VERIFIER_assert(int);
int f(int x) { return x + 1; }
int main(void) { __VERIFIER_assert(f(4) == 4); }
