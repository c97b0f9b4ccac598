int __VERIFIER_nondet_int(void);
int t[2] = {1, 3};
int main(void) { return t[__VERIFIER_nondet_int() & 1]; }
