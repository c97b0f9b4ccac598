// A parser that comes further.
// expect: unsafe 29
// engine: bmc
signed char __VERIFIER_nondet_char(void);
void __VERIFIER_assert(int);
char s[5];
int i;
int value(void) {
    if (s[i] == '(') {
        i++;
        int v = value();
        if (s[i] != ')') return -1;
        i++;
        return v;
    }
    if (s[i] == '-') {
        i++;
        return value();
    }
    if (s[i] == 'x') {
        i++;
        return 1;
    }
    return -1;
}
int main(void) {
    for (int k = 0; k < 4; k++) s[k] = __VERIFIER_nondet_char();
    int v = value();
    __VERIFIER_assert(i < 4);
    return v;
}
