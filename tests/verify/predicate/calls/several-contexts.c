// Several contexts.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int add(int x, int y) { return x + y; }
int main(void) {
    int a = add(1, 2), b = add(a, 10), c = add(b, a);
    __VERIFIER_assert(a == 3 && b == 13 && c == 16);
}
