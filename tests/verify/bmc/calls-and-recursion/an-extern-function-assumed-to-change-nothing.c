// An extern function, assumed to change nothing.
// expect: safe
// engine: bmc
// args: --unknown-functions pure
void __VERIFIER_assert(int);
extern void outside(void);
int g = 4;
int main(void) {
    outside();
    __VERIFIER_assert(g == 4);
}
