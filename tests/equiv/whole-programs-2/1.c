// expect: equivalent
// function: f
void exit(int);
int f(int x) {
    if (x < 0) exit(3);
    return x;
}
