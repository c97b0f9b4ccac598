static int a = 1, b = 2;
int *const p = &b;
int f(void) {
    a = 1;
    b = 2;
    return *p;
}
