// A loop that is widened, with invariants.
// holds: verify --check memory
//   front.checks: ["assertion","error_call","memory"]
//   made by: --engine bmc
//   proof: unwound
// fails: verify --check memory -DSIZE=9
//   front.checks: ["assertion","error_call","memory"]
//   front.macros: ["-DSIZE=9"]
int __VERIFIER_nondet_int(void);
#define in __VERIFIER_nondet_int

#ifndef SIZE
#define SIZE 8
#endif

int log_[8];
unsigned used;

int main(void) {
    while (1) {
        int x = in();
        if (x == 0) continue;
        log_[used] = x;
        used++;
        if (used == SIZE) used = 0;
    }
}
