// An implicit fgets is no library function.
// expect: safe or unknown
int main(void) {
    char b[3];
    b[0] = 1;
    int x = 2;
    fgets(b, 3, 0);
    __CPROVER_assert(x == 2, "x");
    return 0;
}
