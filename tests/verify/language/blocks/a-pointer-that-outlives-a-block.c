// A pointer that outlives a block.
// expect: unsafe 10
// check: memory
int main(void) {
    int *p = 0;
    {
        int z = 5;
        p = &z;
    }
    return *p;
}
