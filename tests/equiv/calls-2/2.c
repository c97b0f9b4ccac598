void g(int);
void f(int x) {
    g(x + 1);
    g(x);
}
