void exit(int);
static void fail(void) { exit(3); }
int f(int x) {
    if (x >= 0) return x;
    fail();
    return 0;
}
