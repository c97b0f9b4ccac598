// Globals are zero.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
int g;
struct {
    int a;
    char *p;
} s;
double d;
int main(void) { __VERIFIER_assert(g == 0 && s.a == 0 && s.p == 0 && d == 0.0); }
