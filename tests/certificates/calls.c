// Contracts and invariants.
// holds: verify
//   made by: --engine predicate
//   proof: contracts
// fails: verify -DSTEP=3
//   front.macros: ["-DSTEP=3"]
// fails: verify -DLAST=999
//   front.macros: ["-DLAST=999"]
int __VERIFIER_nondet_int(void);
void reach_error(void);
#define in __VERIFIER_nondet_int

#ifndef STEP
#define STEP 1
#endif
#ifndef LAST
#define LAST 1000
#endif

int next(int x) { return x + STEP; }

int main(void) {
    int i = 0, n = in();
    while (i < n && i < 1000) i = next(i);
    if (i > LAST) reach_error();
    if (i < 0) reach_error();
    return 0;
}
