// Assignment of structs.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
struct s {
    int a[3];
    struct {
        char c;
    } in;
};
int main(void) {
    struct s x = {{1, 2, 3}, {'q'}}, y;
    y = x;
    x.a[1] = 0;
    __VERIFIER_assert(y.a[1] == 2 && y.in.c == 'q' && x.a[1] == 0);
}
