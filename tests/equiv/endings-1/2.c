void exit(int);
int f(int x) {
    if (x == 5) exit(2);
    return 0;
}
