// A struct is assigned to a place that overlaps it.
// expect: unsafe 16
// check: memory
// says: overlaps
struct S {
    int a[4];
};
union U {
    struct S s;
    struct {
        int p;
        struct S t;
    } q;
} u;
int main(void) {
    u.s = u.q.t;
    return 0;
}
