// expect: equivalent
// function: f
static int debug = 0;
int f(int x) {
    if (debug > 1) x++;
    return x;
}
