// Overwritten values, values nobody needs.
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = 7;
    int z = y;
    x = y + 1;
    y = __VERIFIER_nondet_int();
    if (x > y) __VERIFIER_error();
    x = y;
    return z;
}
