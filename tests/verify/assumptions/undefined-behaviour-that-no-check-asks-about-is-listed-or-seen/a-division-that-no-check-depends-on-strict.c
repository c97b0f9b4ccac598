// A division that no check depends on, strict.
// expect: unknown
// args: --undefined strict
// says: undefined
extern int nondet_int(void);
int main(void) {
    int x = nondet_int();
    return 10 / x;
}
