void f(char *d, char *s) {
    for (int i = 7; i >= 0; i--) d[i] = s[i];
}
