// expect: safe
void __VERIFIER_assert(int);
int g;
int out(int x);
int f(int x) {
    int r = out(x);
    return g + r - r;
}
int main(void) {
    int r = f(1);
    __VERIFIER_assert(r == 0);
}
