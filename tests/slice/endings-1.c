int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
void exit(int);
void die(int c) { exit(c); }
int log;
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < 0) die(x);
    if (y < 0) log = 1;
    if (x < -5) __VERIFIER_error();
    while (y) y--;
    return 0;
}
