int f(int i) {
    const char *s = "ac";
    return s[i & 1];
}
