extern int __VERIFIER_nondet_int(void);

static const int limit = 10;
static int count;

static int clamp(int x) {
    return x > limit ? limit : x;
}

static int square(int x) {
    return x * x;
}

static void tick(void) {
    count++;
}

static int unused(void) {
    return 1;
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

int main(void) {
    int n = __VERIFIER_nondet_int();
    return sum(n) + wait(n) + square(n);
}
