/* The triangular numbers of paper 004, with the overflow of 16-bit integers simulated by hand. */
int wrap(int x) {
    x = x % 65536;
    if (x > 32767) {
        x = x - 65536;
    } else if (x < -32768) {
        x = x + 65536;
    }
    return x;
}

int g(int n) {
    int r = 0;
    if (n > 0) {
        r = g(n - 1);
        r = wrap(n + r);
    }
    return r;
}

int triangle(int n) {
    return g(wrap(n));
}
