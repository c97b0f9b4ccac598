void __VERIFIER_error(void);
int state, count;
int unused(void) { return 1; }
void lock(int *p) {
    count++;
    if (state) __VERIFIER_error();
    state = 1;
    *p = 4;
}
int pure(int x) {
    count += x;
    return x * 2;
}
int mixed(int a, int b, int c) {
    count = c;
    return a - b;
}
int main(void) {
    int l = 0, k = pure(3), m = mixed(1, k, pure(k));
    pure(m);
    lock(&l);
    if (m) lock(&l);
    return k;
}
