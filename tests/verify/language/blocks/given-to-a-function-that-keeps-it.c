// Given to a function that keeps it.
// expect: unsafe 11
// check: memory
static int *kept;
static void keep(int *p) { kept = p; }
int main(void) {
    {
        int z = 1;
        keep(&z);
    }
    return *kept;
}
