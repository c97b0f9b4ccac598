// An error function.
// expect: unsafe 7
// engine: bmc
int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
    if (__VERIFIER_nondet_int() == 77) reach_error();
}
