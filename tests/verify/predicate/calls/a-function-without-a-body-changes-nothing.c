// A function without a body changes nothing.
// expect: safe
// engine: predicate
// args: --unknown-functions pure
void __VERIFIER_assert(int);
extern void outside(void);
int g = 4;
int main(void) {
    outside();
    __VERIFIER_assert(g == 4);
}
