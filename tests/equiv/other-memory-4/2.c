int f(int *a, char *b) {
    *a = 0;
    b[1] = 1;
    return 0;
}
