// expect: different or unknown
// function: f
void g(int *);
int f(void) {
    int x = 1;
    g(&x);
    return x;
}
