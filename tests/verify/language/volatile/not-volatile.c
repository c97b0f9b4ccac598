// Not volatile.
// expect: safe
// assumes-not: volatile
int v;
int main(void) { return v; }
