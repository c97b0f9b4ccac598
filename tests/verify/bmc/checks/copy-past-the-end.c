// Copy past the end.
// expect: unsafe 8
// engine: bmc
// check: memory
unsigned __VERIFIER_nondet_uint(void);
void *memcpy(void *, const void *, unsigned long);
char a[4], b[8];
int main(void) { memcpy(a, b, __VERIFIER_nondet_uint() & 7); }
