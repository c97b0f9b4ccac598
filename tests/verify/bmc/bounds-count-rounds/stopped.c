// Stopped.
// expect: unsafe 13
// engine: bmc
// unwind: 1
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int pc, stopped;
int main(void) {
    while (1) {
        if (stopped == 0) {
            if (__VERIFIER_nondet_int()) stopped = 1;
            if (__VERIFIER_nondet_int()) {
                if (pc == 1) __VERIFIER_error();
                pc = 1;
            }
        }
    }
}
