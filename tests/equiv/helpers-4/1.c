// expect: equivalent
// function: f
void g(int);
int f(int);
int f(int n) {
    for (int i = 0; i < n; i++) g(i);
    return 0;
}
