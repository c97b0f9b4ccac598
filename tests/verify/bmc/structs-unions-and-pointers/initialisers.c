// Initialisers.
// expect: safe
// engine: bmc
// audit: unknown
void __VERIFIER_assert(int);
struct s {
    int a, b;
} x[3] = {[1] = {.b = 5}, [2].a = 6};
char t[] = "hi";
const char *u[2] = {"ab", t + 1};
int main(void) {
    __VERIFIER_assert(
        x[0].a == 0 && x[1].b == 5 && x[2].a == 6 && sizeof t == 3 && u[1][0] == 'i' && u[0][1] == 'b');
}
