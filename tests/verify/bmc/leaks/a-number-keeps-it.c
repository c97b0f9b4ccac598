// A number keeps it.
// expect: safe
// engine: bmc
// check: leak
void *malloc(unsigned long);
unsigned long g;
int main(void) {
    g = (unsigned long)malloc(4);
    return 0;
}
