// A jump into a block enters it.
// expect: safe
// check: memory
int main(void) {
    int n = 0;
    goto in;
    {
        int z;
    in:
        z = 1;
        int *p = &z;
        n += *p;
    }
    if (n < 3) goto in;
    return n;
}
