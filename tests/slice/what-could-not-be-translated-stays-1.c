int __VERIFIER_nondet_int(void);
int g;
int untranslated(int x) { return x; }
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x) g = untranslated(y);
    return 0;
}
