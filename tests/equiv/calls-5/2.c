void g(int);
void f(int n) {
    for (int i = 0; i < n; i++) g(i == 5 ? 4 : i);
}
