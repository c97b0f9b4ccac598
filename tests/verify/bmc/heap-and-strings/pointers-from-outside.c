// Pointers from outside.
// expect: unsafe 11
// engine: bmc
void __VERIFIER_assert(int);
struct dev {
    int state;
};
extern struct dev *find(void);
int main(void) {
    struct dev *d = find();
    if (d) __VERIFIER_assert(d->state == 0);
}
