// Enumerations and comma.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
enum e { A = 3, B, C = B * 2 };
int main(void) {
    int x = (A, C);
    __VERIFIER_assert(x == 8);
}
