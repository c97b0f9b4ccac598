// An array of structs.
// expect: unsafe 13
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
struct p {
    int k;
    short v;
} s[2] = {{1, 2}, {3, 4}};
int main(void) {
    int i = __VERIFIER_nondet_int() & 1;
    s[i].v = 7;
    __VERIFIER_assert(s[1].v == 4);
}
