// Exit in a callee.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void exit(int);
void die(int x) {
    if (x) exit(1);
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    die(x == 3);
    __VERIFIER_assert(x != 3);
}
