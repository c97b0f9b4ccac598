// expect: equivalent
// function: f
// integers: machine, unbounded
int f(int n) {
    int i = 0;
    while (i < n) i++;
    return i;
}
