int __VERIFIER_nondet_int(void);
int main(void) {
    int y = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
    return x < y;
}
