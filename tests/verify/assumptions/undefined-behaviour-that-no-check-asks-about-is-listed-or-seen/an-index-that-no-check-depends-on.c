// An index that no check depends on.
// expect: safe
// assumes: memory
extern int nondet_int(void);
int main(void) {
    int a[2];
    a[nondet_int()] = 1;
    return 0;
}
