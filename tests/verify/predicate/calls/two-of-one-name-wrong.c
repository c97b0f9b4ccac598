// Two of one name, wrong.
// expect: unsafe 11
// engine: predicate
void __VERIFIER_assert(int);
int main(void) {
    int x = 1;
    {
        int x = 2;
        while (x < 5) x++;
    }
    __VERIFIER_assert(x == 5);
}
