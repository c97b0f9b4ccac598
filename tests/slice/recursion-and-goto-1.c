void __VERIFIER_error(void);
int depth, calls;
int down(int n, int m) {
    calls++;
    if (n <= 0) return 0;
    depth++;
    return down(n - 1, m + 1) + 1;
}
int main(void) {
    int i = 0, k = 0;
again:
    k += 2;
    i++;
    if (k < 9) goto again;
    down(3, k);
    if (depth == i) __VERIFIER_error();
    return k;
}
