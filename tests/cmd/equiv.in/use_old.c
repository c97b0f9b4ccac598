int twice(int x);
int report(int value);

int four(int x) {
    return twice(twice(x));
}

int tell(int x) {
    report(x);
    return report(four(x));
}
