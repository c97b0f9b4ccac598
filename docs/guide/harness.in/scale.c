int read_port(void);

static int last;

int scale(int value, int factor) {
    if (factor == 0)
        return last;
    last = value / factor + read_port() % 16;
    return last;
}
