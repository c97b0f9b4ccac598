// expect: unsafe 5
void __VERIFIER_assert(int);
const char *names[2] = {"cd", "ab"};
char f(int i) { return names[i & 1][0]; }
int main(void) { __VERIFIER_assert(f(1) == 'c'); }
