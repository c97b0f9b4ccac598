extern int __VERIFIER_nondet_int(void);
extern void log_value(int value);

static int total;

static int is_odd(unsigned n);

static int is_even(unsigned n) {
    return n == 0 ? 1 : is_odd(n - 1);
}

static int is_odd(unsigned n) {
    return n == 0 ? 0 : is_even(n - 1);
}

static int add(int value) {
    total += value;
    return total;
}

static int subtract(int value) {
    total -= value;
    return total;
}

int main(void) {
    int (*change)(int) = __VERIFIER_nondet_int() ? add : subtract;
    for (int i = 0; i < 3; i++) {
        int j = i;
        while (j > 0)
            j -= change(is_even(j));
    }
    log_value(total);
    return total;
}
