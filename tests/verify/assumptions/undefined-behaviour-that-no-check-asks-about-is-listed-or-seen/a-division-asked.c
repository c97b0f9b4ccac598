// A division, asked.
// expect: unsafe 7
// check: div
extern int nondet_int(void);
int main(void) {
    int x = nondet_int();
    return 10 / x;
}
