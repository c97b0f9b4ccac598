void give(int *);
static int t[2] = {1, 3};
int f(int i) {
    give(t);
    return t[i & 1];
}
