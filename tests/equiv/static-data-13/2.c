static int debug = 1;
int f(int x) {
    if (debug > 1) x++;
    return x;
}
