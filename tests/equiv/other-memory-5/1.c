// expect: different
// function: f
void f(char *d, char *s) {
    for (int i = 0; i < 8; i++) d[i] = s[i];
}
