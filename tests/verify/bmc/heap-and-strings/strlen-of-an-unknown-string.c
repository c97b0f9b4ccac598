// Strlen of an unknown string.
// expect: safe
// engine: bmc
signed char __VERIFIER_nondet_char(void);
void __VERIFIER_assert(int);
unsigned long strlen(const char *);
int main(void) {
    char s[4];
    for (int i = 0; i < 3; i++) s[i] = __VERIFIER_nondet_char();
    s[3] = 0;
    __VERIFIER_assert(strlen(s) <= 3);
}
