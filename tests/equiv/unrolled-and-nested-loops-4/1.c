// expect: equivalent
// function: f
int f(int x) {
    int s = 0;
    for (int i = 0; i < 4; i++) s += x;
    return s;
}
