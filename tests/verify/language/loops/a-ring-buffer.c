// A ring buffer.
// expect: safe
// check: memory,overflow
int __VERIFIER_nondet_int(void);
static unsigned char q[16];
static unsigned head, count;
static void put(int b) {
    if (count == 16) return;
    q[(head + count) % 16] = (unsigned char)b;
    count++;
}
static int get(void) {
    if (!count) return -1;
    int b = q[head];
    head = (head + 1) % 16;
    count--;
    return b;
}
int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) put(__VERIFIER_nondet_int());
        else get();
    }
    return 0;
}
