// expect: different or unknown
// function: f
static int a = 1, b = 2;
static int *const p[2] = {&a, &b};
int f(int i) {
    a = 1;
    b = 2;
    return *p[i & 1];
}
