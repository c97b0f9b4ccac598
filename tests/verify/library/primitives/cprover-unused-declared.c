// Cprover unused declared.
// expect: safe
void __CPROVER_foo(int);
int main(void) { return 0; }
