// A jump back inside of the block keeps it.
// expect: safe
// check: memory
int main(void) {
    int n = 0;
    {
        int z = 1;
        int *p = 0;
    again:
        if (p) return *p;
        p = &z;
        n++;
        goto again;
    }
}
