// A float that may not fit.
// expect: safe
// assumes: floating
extern double nondet_double(void);
int main(void) { return (int)nondet_double() > 3; }
