// expect: different
// function: f
int f(int x, int y) { return x == 77777 && y == -99999; }
