// endings: no
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
void exit(int);
int g;
void bug(void) { for (;;); }
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < 0) bug();
    if (y < 0) exit(1);
    while (x) {
        x--;
        if (y == 5) return 0;
    }
    g++;
    if (g == 1) __VERIFIER_error();
    return x;
}
