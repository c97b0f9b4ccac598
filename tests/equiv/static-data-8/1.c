// expect: different or unknown
// function: f
void give(int *);
static int t[2] = {1, 2};
int f(int i) {
    give(t);
    return t[i & 1];
}
