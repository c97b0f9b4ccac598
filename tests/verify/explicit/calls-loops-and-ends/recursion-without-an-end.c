// expect: safe
// engine: explicit
int f(int n) { return f(n + 1); }
int main(void) { f(0); }
