// A switch enters blocks at its cases.
// expect: safe
// check: memory
extern int nondet_int(void);
int main(void) {
    int s = 0;
    for (int i = 0; i < 3; i++) switch (nondet_int()) {
            int z;
        case 1:
            z = 1;
            {
                int *p = &z;
                s += *p;
            }
            break;
        default: {
            z = 2;
            int *q = &z;
            s += *q;
        }
        }
    return s;
}
