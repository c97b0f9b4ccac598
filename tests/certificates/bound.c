// The proof depends on how far the loop goes.
// holds: verify
//   made by: --engine bmc
//   proof: unwound
// fails: verify -DTOO_FAR=5
//   front.macros: ["-DTOO_FAR=5"]
int __VERIFIER_nondet_int(void);
void reach_error(void);
#define in __VERIFIER_nondet_int

#ifndef TOO_FAR
#define TOO_FAR 7
#endif

int main(void) {
    int i = 0;
    while (i < 6) {
        if (in()) break;
        i++;
        if (i == TOO_FAR) reach_error();
    }
    return 0;
}
