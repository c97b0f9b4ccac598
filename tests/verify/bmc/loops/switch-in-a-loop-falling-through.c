// Switch in a loop, falling through.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
int main(void) {
    int s = 0;
    for (int i = 0; i < 4; i++) switch (i) {
        case 0: s += 1;
        case 1: s += 10; break;
        case 2: s += 100; break;
        default: s += 1000;
        }
    __VERIFIER_assert(s == 1121);
}
