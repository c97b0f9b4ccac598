// A function that is never reached, one that never returns, and a check behind both.
// engine: contracts
// expect: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int mode;

static void forever(void) {
    for (;;)
        mode = 1;
}

static void other(int x) {
    if (x != 5)
        reach_error();
}

int main(void) {
    if (mode == 2)
        other(__VERIFIER_nondet_int());
    if (__VERIFIER_nondet_int()) {
        forever();
        reach_error();
    }
    return mode;
}
