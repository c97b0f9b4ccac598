// expect: different
// function: f
int f(int i) {
    static char s[] = "ab";
    return s[i & 1];
}
