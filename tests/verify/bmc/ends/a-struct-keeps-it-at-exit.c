// A struct keeps it at exit.
// expect: safe
// engine: bmc
// check: leak
void exit(int);
void *malloc(unsigned long);
struct s {
    int *p;
    int n;
};
int main(void) {
    struct s s;
    s.p = malloc(4);
    s.n = 1;
    exit(s.n);
}
