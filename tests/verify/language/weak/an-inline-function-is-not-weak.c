// An inline function is not weak.
// expect: safe
// assumes-not: weak
inline int one(void) { return 1; }
int main(void) { return one(); }
