void g(int *);
int f(void) {
    int x = 1;
    g(&x);
    return 1;
}
