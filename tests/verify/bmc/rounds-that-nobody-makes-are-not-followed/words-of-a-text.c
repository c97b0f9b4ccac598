// Words of a text.
// expect: safe
// engine: bmc
// check: memory,overflow
signed char __VERIFIER_nondet_char(void);
void __VERIFIER_assert(int);
int skip(const char *s, int i, int n) {
    while (i < n && s[i] == ' ') i++;
    return i;
}
int word(const char *s, int i, int n) {
    while (i < n && s[i] != ' ') i++;
    return skip(s, i, n);
}
int line(const char *s, int i, int n) {
    while (i < n && s[i] != '|') i = word(s, skip(s, i, n), n);
    if (i < n) i++;
    return i;
}
int main(void) {
    char s[5];
    int words = 0, i = 0;
    for (int k = 0; k < 5; k++) s[k] = __VERIFIER_nondet_char();
    while (i < 5) {
        int j = line(s, i, 5);
        if (j == i) break;
        i = j;
        words++;
    }
    __VERIFIER_assert(words <= 5 && i <= 5);
    return 0;
}
