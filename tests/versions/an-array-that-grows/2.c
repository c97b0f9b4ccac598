// expect: safe
void __VERIFIER_assert(int);
int t[8], u = 8;
int get(int i) { return i < u ? t[i & 7] : 7; }
int main(void) { __VERIFIER_assert(get(5) != 7); }
