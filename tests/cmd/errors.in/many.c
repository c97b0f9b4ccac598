int f(int x) {
    return y;
}

int main(void) {
    int *p = 1.5;
    f(1, 2);
    return q + r;
}
