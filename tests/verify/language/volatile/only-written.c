// Only written.
// expect: safe
// assumes-not: volatile
volatile int v;
int main(void) {
    v = 1;
    return 0;
}
