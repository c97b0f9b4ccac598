// Static in a function.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
int next(void) {
    static int n = 5;
    return n++;
}
int main(void) {
    next();
    next();
    __VERIFIER_assert(next() == 7);
}
