// Freed once more.
// expect: safe
// engine: bmc
// unwind: 4, auto
void __VERIFIER_assert(int);
void *malloc(unsigned long);
void free(void *);
void drop(int *p) { free(p); }
int main(void) {
    int *p = malloc(4);
    *p = 3;
    int x = *p;
    drop(p);
    __VERIFIER_assert(x == 3);
}
