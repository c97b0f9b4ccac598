// A pool that hands out parts of itself.
// expect: safe
// check: memory
unsigned nondet_uint(void);
struct pool {
    char mem[32];
    char *cur;
};
static struct pool pool;
static char *get(unsigned n) {
    if (n > (unsigned)(pool.mem + 32 - pool.cur)) return 0;
    char *p = pool.cur;
    pool.cur += n;
    return p;
}
int main(void) {
    pool.cur = pool.mem;
    for (int i = 0; i < 3; i++) {
        unsigned n = nondet_uint();
        if (n == 0 || n > 16) continue;
        char *p = get(n);
        if (p) p[n - 1] = 1;
    }
    return 0;
}
