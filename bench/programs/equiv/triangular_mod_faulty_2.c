/* Wraps one too early. */
int wrap(int x) {
    x = x % 65536;
    if (x >= 32766) {
        x = x - 65536;
    } else if (x < -32768) {
        x = x + 65536;
    }
    return x;
}

int g(int n, int s) {
    if (n <= 0) {
        return s;
    }
    return g(n - 1, wrap(n + s));
}

int triangle(int n) {
    return g(wrap(n), 0);
}
