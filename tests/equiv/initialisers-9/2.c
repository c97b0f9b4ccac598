static int a = 1, b = 2;
static int *const p[2] = {&b, &a};
int f(int i) {
    a = 1;
    b = 2;
    return *p[i & 1];
}
