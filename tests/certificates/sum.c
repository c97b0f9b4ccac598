// holds: verify
// fails: verify --check overflow
//   front.checks: ["assertion","error_call","overflow"]
// holds: verify --property reach.prp
//   front.checks: ["error_call"]
//   front.error_functions: ["reach_error"]
//   front.unknown_functions: "pure"
// fails: verify --property overflow.prp
//   front.checks: ["overflow"]
//   front.unknown_functions: "pure"
int __VERIFIER_nondet_int(void);
void reach_error(void);
#define in __VERIFIER_nondet_int

int main(void) {
    int x = in();
    int y = x + 1;
    if (x < 100 && x > 200) reach_error();
    return y;
}
