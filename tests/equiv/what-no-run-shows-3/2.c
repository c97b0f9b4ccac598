void g(void);
int v;
void f(void) {
    g();
    v = 1;
    v = 2;
}
