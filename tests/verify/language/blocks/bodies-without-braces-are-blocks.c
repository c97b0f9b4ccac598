// Bodies without braces are blocks.
// expect: unsafe 8
// check: memory
extern int nondet_int(void);
int main(void) {
    int *p = 0;
    if (nondet_int()) p = &(int){5};
    return p ? *p : 0;
}
