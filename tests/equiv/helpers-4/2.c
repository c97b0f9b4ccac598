void g(int);
int f(int);
int f(int n) {
    int i = 0;
    while (i < n) {
        g(i);
        i = i + 1;
    }
    return 0;
}
