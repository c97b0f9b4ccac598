// expect: different
// function: f
int odd(int);
int even(int n) { return n <= 0 ? 1 : odd(n - 1); }
int odd(int n) { return n <= 0 ? 0 : even(n - 1); }
int f(int n) { return even(n); }
