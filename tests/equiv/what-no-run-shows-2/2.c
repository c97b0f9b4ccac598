int g;
int *p = &g;
int f(void) {
    g = 1;
    *p = 2;
    return 1;
}
