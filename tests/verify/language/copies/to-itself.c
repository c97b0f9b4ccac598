// To itself.
// expect: safe
// check: memory
struct S {
    int a[4];
};
static void cp(struct S *d, const struct S *s) { *d = *s; }
int main(void) {
    static struct S s, t;
    cp(&s, &s);
    cp(&s, &t);
    return 0;
}
