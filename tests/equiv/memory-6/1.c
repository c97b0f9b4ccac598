// expect: equivalent
// function: f
int g, h;
void f(int x) {
    g = x;
    h = g + 1;
}
