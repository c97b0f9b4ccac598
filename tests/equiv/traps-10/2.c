void exit(int);
static void h(int x) {
    if (x > 3) exit(x);
}
int f(int x, int y) {
    if (y == 0) exit(9);
    h(x / y);
    return 1;
}
