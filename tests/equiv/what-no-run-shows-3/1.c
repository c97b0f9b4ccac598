// expect: different or unknown
// function: f
void g(void);
int v;
void f(void) {
    v = 1;
    g();
    v = 2;
}
