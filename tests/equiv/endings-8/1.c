// expect: different
// function: f
void g(void);
int f(int x) {
    g();
    return 1 / x;
}
