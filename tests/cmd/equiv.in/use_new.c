int twice(int x);
int report(int value);

int four(int x) {
    int y = twice(x);
    return twice(y);
}

int tell(int x) {
    report(x);
    return report(four(x));
}
