// A static local and another of its name.
// expect: unsafe 16
// engine: predicate
void __VERIFIER_assert(int);
int f(int x) {
    int s = x;
    {
        static int x = 0;
        x += 2;
        s += x;
    }
    return s;
}
int main(void) {
    f(1);
    __VERIFIER_assert(f(0) != 4);
}
