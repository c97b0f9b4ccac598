// Pointers between globals.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
extern int y;
int *const p = &y, **q = (int **)&p;
int y = 3;
int main(void) {
    **q = 4;
    __VERIFIER_assert(y == 4);
}
