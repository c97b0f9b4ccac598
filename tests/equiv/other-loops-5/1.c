// expect: different
// function: f
unsigned f(unsigned n) {
    unsigned s = 0;
    for (unsigned i = 0; i < n % 50; i += 2) s++;
    return s;
}
