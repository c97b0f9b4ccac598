// expect: safe or unknown
// engine: explicit
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
void exit(int);
int main(void) {
    if (__VERIFIER_nondet_int() == 41) exit(0);
    int x = __VERIFIER_nondet_int();
    if (x != x) __VERIFIER_error();
}
