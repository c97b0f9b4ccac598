// expect: different
// function: f
int f(int x) {
    static int calls;
    calls++;
    return calls > 3 ? x : 0;
}
