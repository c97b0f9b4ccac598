// A variable without a value, in bounds.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int main(void) {
    unsigned char x;
    __VERIFIER_assert(x < 256);
}
