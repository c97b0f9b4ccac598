extern int __VERIFIER_nondet_int(void);

static const int limit = 10;
static int count;

/* Negative values count as zero. */
static int clamp(int x) {
    if (x < 0)
        return 0;
    return x > limit ? limit : x;
}

static int squared(int value) {
    return value * value; /* a better name */
}

static void tick(void) {
    count++;
}

static int sum(int n) {
    int result = 0;
    for (int i = 0; i < n; i++)
        result += clamp(i);
    return result;
}

static int wait(int n) {
    while (n > 0) {
        tick();
        n--;
    }
    return count;
}

static int twice(int n) {
    return n + n;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    return sum(n) + wait(n) + squared(twice(n));
}
