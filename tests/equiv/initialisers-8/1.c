// expect: different or unknown
// function: f
static int a = 1, b = 2;
int *const p = &a;
int f(void) {
    a = 1;
    b = 2;
    return *p;
}
