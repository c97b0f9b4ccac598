// A pointer through two functions.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
void c(int *p) { *p = 3; }
void b(int *p) {
    c(p);
    (*p)++;
}
int main(void) {
    int x = 0, y = 8;
    b(&x);
    __VERIFIER_assert(x == 4 && y == 8);
}
