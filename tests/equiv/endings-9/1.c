// expect: different
// function: f
void exit(int);
int g;
int f(int x) {
    if (1 / x) g = 1;
    exit(0);
}
