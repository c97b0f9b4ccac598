// Nobody looks at it.
// expect: unsafe 8
// engine: bmc
// check: leak
void *malloc(unsigned long);
int main(void) {
    malloc(4);
    return 0;
}
