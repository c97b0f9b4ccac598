// Pointers from outside keep what is written.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
struct dev {
    int state;
};
extern struct dev *find(void);
int main(void) {
    struct dev *d = find();
    if (!d) return 0;
    d->state = 3;
    __VERIFIER_assert(d->state == 3);
}
