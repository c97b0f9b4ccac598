// Left by goto, backwards.
// expect: unsafe 7
// check: memory
int main(void) {
    int *p = 0;
again:
    if (p) return *p;
    {
        int z = 1;
        p = &z;
        goto again;
    }
}
