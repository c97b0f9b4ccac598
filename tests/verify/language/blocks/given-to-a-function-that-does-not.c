// Given to a function that does not.
// expect: safe
// check: memory
static int get(const int *p) { return *p; }
int main(void) {
    int s = 0;
    for (int i = 0; i < 4; i++) {
        int a[2] = {i, 1};
        s += get(a);
    }
    return s;
}
