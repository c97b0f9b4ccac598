// expect: safe
void __VERIFIER_assert(int);
void *malloc(unsigned long);
void drop(int *p) {}
int main(void) {
    int *p = malloc(4);
    *p = 3;
    int x = *p;
    drop(p);
    __VERIFIER_assert(x == 3);
}
