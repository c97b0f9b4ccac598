// A tentative definition has one element.
// expect: safe
// check: memory
// assumes-not: elsewhere
int tab[];
int main(void) { return tab[0]; }
