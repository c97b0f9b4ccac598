// expect: different
// function: f
void exit(int);
static void h(int x) {
    if (x > 3) exit(x);
}
int f(int x, int y) {
    h(x / y);
    return 1;
}
