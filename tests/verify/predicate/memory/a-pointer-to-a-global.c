// A pointer to a global.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int g = 4, h = 9, *p = &g;
void up(void) { (*p)++; }
int main(void) {
    up();
    up();
    __VERIFIER_assert(g == 6 && h == 9);
}
