// Elements of an array.
// expect: safe
// check: memory
struct S {
    int a[3];
};
static struct S list[4];
unsigned nondet_uint(void);
int main(void) {
    unsigned i = nondet_uint() % 4, j = nondet_uint() % 4;
    list[i] = list[j];
    return 0;
}
