// expect: different or unknown
// function: f
// integers: unbounded
void g(int);
void f(int x) {
    g(x);
    g(x + 1);
}
