// expect: different
// function: f
int f(int x, int y) {
    int s = 0;
    for (int i = 0; i < 2; i++) s ^= x / (y + i);
    return s;
}
