int g[5];
void f(int i) {
    if (i == 3) g[i] = 2;
}
