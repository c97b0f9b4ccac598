// Through pointers.
// expect: unsafe 8
// check: memory
// says: overlaps
struct S {
    int a[4];
};
static void cp(struct S *d, const struct S *s) { *d = *s; }
int main(void) {
    static int x[8];
    cp((struct S *)(x + 1), (struct S *)x);
    return 0;
}
