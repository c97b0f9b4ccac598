// Free of null.
// expect: safe
// engine: bmc
// check: memory
void free(void *);
int main(void) { free(0); }
