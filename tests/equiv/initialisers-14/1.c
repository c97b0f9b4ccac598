// expect: different or unknown
// function: f
int f(int i) {
    const char *s = "ab";
    return s[i & 1];
}
