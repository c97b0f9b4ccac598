// A call through null.
// expect: safe
// engine: bmc
// assumes: calls reach functions of the type with which they are called
void __VERIFIER_assert(int);
int main(void) {
    int (*f)(void) = 0;
    __VERIFIER_assert(f() == 1);
}
