// A caller's variable keeps it at exit.
// expect: safe
// engine: bmc
// check: leak
void exit(int);
void *malloc(unsigned long);
void die(void) { exit(1); }
int main(void) {
    int *p = malloc(4);
    *p = 1;
    die();
    return *p;
}
