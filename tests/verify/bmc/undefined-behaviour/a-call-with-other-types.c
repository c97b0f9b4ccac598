// A call with other types.
// expect: safe
// engine: bmc
// assumes: calls reach functions of the type with which they are called
void __VERIFIER_assert(int);
int f(int x) { return x; }
int main(void) {
    long (*g)(char *) = (long (*)(char *))f;
    __VERIFIER_assert(g(0) == 0);
}
