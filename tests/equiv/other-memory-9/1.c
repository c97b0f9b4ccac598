// expect: different
// function: f
int g;
int f(int x) {
    if (x == 4321) g = 0;
    return x;
}
