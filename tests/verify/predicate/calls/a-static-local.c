// A static local.
// expect: safe
// engine: predicate
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
