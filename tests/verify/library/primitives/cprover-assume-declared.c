// Cprover assume declared.
// expect: safe
void __CPROVER_assume(int);
void __CPROVER_assert(int, const char *);
int nondet_int(void);
int main(void) {
    int x = nondet_int();
    __CPROVER_assume(x > 3);
    __CPROVER_assert(x > 2, "x");
    return 0;
}
