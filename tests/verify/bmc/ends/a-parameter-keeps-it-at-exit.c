// A parameter keeps it at exit.
// expect: safe
// engine: bmc
// check: leak
void exit(int);
void *malloc(unsigned long);
void die(int *p) { exit(*p); }
int main(void) {
    int *p = malloc(4);
    *p = 1;
    int *q = p;
    p = 0;
    die(q);
}
