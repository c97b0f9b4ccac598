// Defined later.
// expect: unsafe 6
// check: memory
// assumes-not: elsewhere
extern int tab[];
int main(void) { return tab[2]; }
int tab[2];
