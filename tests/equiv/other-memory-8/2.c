int g;
int f(int x) {
    g = x + 1;
    return x;
}
