// Two of one name.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int main(void) {
    int x = 1;
    {
        int x = 2;
        while (x < 5) x++;
        __VERIFIER_assert(x == 5);
    }
    __VERIFIER_assert(x == 1);
}
