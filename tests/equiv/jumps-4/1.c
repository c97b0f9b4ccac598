// expect: equivalent
// function: f
int f(int x) {
    switch (x) {
    case 1: return 10;
    case 2: return 20;
    default: return 0;
    }
}
