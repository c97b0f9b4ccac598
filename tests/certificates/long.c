// What holds depends on the target.
// holds: verify --target ilp32
//   front.target: "ilp32"
// fails: verify
void reach_error(void);

int main(void) {
    unsigned long x = 0x80000000u;
    x += x;
    if (x != 0) reach_error();
    return 0;
}
