// Two in memory of one name, wrong.
// expect: unsafe 13
// engine: predicate
void __VERIFIER_assert(int);
void set(int *p, int v) { *p = v; }
int main(void) {
    int x = 1;
    set(&x, 2);
    {
        int x = 3;
        set(&x, 4);
    }
    __VERIFIER_assert(x == 4);
}
