// A member.
// expect: safe
// assumes: .ready
struct device {
    volatile int ready;
} device;
int main(void) {
    struct device *d = &device;
    return d->ready;
}
