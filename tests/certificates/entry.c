// What holds depends on where executions start.
// holds: verify --entry f
//   entry: "f"
// fails: verify
int __VERIFIER_nondet_int(void);
void reach_error(void);
#define in __VERIFIER_nondet_int

int f(void) {
    int x = in();
    if (x > 3 && x < 2) reach_error();
    return 0;
}

int main(void) {
    int x = in();
    if (x == 3) reach_error();
    return f();
}
