// expect: equivalent
// function: f
// pre: n >= 0
int f(int n) {
    int i = 0;
    while (i < n) i++;
    return i;
}
