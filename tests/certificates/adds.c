// A refutation of some length.
// holds: verify
//   made by: --engine bmc
//   proof: unwound
// fails: verify -DMOST=11
//   front.macros: ["-DMOST=11"]
int __VERIFIER_nondet_int(void);
void reach_error(void);
#define in __VERIFIER_nondet_int

#ifndef MOST
#define MOST 12
#endif

int main(void) {
    int s = 0;
    for (int i = 0; i < 4; i++) s += in() & 3;
    if (s > MOST) reach_error();
    return 0;
}
