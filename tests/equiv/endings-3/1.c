// expect: different
// function: f
void exit(int);
int f(int x) { exit(x); }
