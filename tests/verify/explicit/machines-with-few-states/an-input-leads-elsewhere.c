// expect: safe
// engine: explicit
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int state = 1;
void step(int in) {
    if (state == 1 && in == 4) state = 2;
    else if (state == 2 && (in == 5 || in == 6)) state = 3;
    else if (state == 3 && in == 1) state = in + 5;
    else if (in != 9) state = 1;
}
int main(void) {
    while (1) {
        int in = __VERIFIER_nondet_int();
        if (in < 1 || in > 9) return 0;
        step(in);
        if (state == 7) __VERIFIER_error();
    }
}
