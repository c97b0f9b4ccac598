int g, h;
void f(int x) {
    h = x + 1;
    g = h - 1;
}
