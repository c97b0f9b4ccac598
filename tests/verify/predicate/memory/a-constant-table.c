// A constant table.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
const int t[4] = {3, 1, 4, 1};
int get(unsigned i) { return t[i & 3]; }
int main(void) { __VERIFIER_assert(get(2) == 4); }
