// expect: safe
// engine: explicit
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int level = 50, mode = 0;
int main(void) {
    while (1) {
        int in = __VERIFIER_nondet_int();
        if (in == 1 && level <= 100) {
            level = level + 3;
            mode = 1;
        } else if (in == 2 && level > 100) {
            level = level - 500;
            mode = 2;
        } else if (in == 3) mode = 0;
        if (mode == 2 && level > 100) __VERIFIER_error();
    }
}
