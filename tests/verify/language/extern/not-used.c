// Not used.
// expect: safe
// assumes-not: elsewhere
extern int tab[];
int main(void) { return 0; }
