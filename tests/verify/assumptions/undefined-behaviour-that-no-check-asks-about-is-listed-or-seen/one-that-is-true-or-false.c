// One that is true or false.
// expect: safe
// assumes-not: floating
extern double nondet_double(void);
int main(void) { return (_Bool)nondet_double(); }
