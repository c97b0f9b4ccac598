// Lost before exit.
// expect: unsafe 10
// engine: bmc
// check: leak
void exit(int);
void *malloc(unsigned long);
int main(void) {
    int *p = malloc(4);
    p = 0;
    exit(1);
}
