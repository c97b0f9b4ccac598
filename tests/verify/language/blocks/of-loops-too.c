// Of loops, too.
// expect: unsafe 8
// check: memory
extern int nondet_int(void);
int main(void) {
    int *p = 0;
    while (nondet_int()) p = &(int){5};
    return p ? *p : 0;
}
