// expect: different
// function: f
void g(int);
void h(int);
void f(int x) {
    g(x);
    h(x);
}
