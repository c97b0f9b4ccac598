// expect: different
// function: f
void exit(int);
void abort(void);
int f(int x) {
    if (x > 5) exit(1);
    return 0;
}
