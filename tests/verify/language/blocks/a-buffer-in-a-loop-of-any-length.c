// A buffer in a loop of any length.
// expect: safe
// check: memory
extern int nondet_int(void);
static void put(char *b, int i) { b[i & 3] = 1; }
int main(void) {
    while (nondet_int()) {
        char b[4];
        put(b, nondet_int());
    }
    return 0;
}
