int f(int i) {
    static char s[] = "ac";
    return s[i & 1];
}
