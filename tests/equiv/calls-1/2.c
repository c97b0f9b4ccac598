void g(int);
void h(int);
void f(int x) {
    h(x);
    g(x);
}
