// A compound literal of the function's block.
// expect: safe
// check: memory
int main(void) {
    int *p;
    p = (int[]){1, 2, 3};
    return p[1];
}
