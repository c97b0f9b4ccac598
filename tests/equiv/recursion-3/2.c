int b(int);
int a(int n) {
    if (n > 0) return b(n - 1);
    return 1;
}
int b(int n) {
    if (n > 0) return a(n - 1);
    return 0;
}
int f(int n) { return a(n); }
