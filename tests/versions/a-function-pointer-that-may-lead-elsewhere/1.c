// A function pointer that may lead elsewhere.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int one(void) { return 1; }
int two(void) { return 2; }
int (*f)(void) = one;
int call(void) { return f(); }
int main(void) { __VERIFIER_assert(call() == 1); }
