int g(int);
int f(int x) {
    g(x);
    g(x);
    return 0;
}
