// Left by goto, forwards.
// expect: unsafe 12
// check: memory
int main(void) {
    int *p = 0;
    {
        int z = 1;
        p = &z;
        goto out;
    }
out:
    return *p;
}
