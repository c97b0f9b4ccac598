// expect: different
// function: f
int get(int);
int f(int x) { return get(x) == x * 3 + 17777; }
