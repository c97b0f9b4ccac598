// An array that grows.
// expect: unsafe 8
// engine: bmc
// unwind: 4, auto
void __VERIFIER_assert(int);
int t[4], u = 4;
int get(int i) { return i < u ? t[i & 3] : 7; }
int main(void) { __VERIFIER_assert(get(5) != 7); }
