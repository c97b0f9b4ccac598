// expect: different
// function: f
void g(int);
void f(int n) {
    for (int i = 0; i < n; i++) g(i);
}
