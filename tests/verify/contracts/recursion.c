// A function that calls itself, and a check that callers make by calling a function.
// engine: contracts, auto
// expect: safe
extern void abort(void);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int ok) {
    if (!ok) {
        reach_error();
        abort();
    }
}

static int clamp(int x) {
    if (x > 10)
        return clamp(x - 10);
    if (x < 0)
        return 0;
    return x;
}

int main(void) {
    int r = clamp(__VERIFIER_nondet_int());
    check(r <= 10);
    check(r >= 0);
}
