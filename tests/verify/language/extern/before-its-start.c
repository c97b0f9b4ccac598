// Before its start.
// expect: unsafe 7
// check: memory
extern int tab[];
int main(void) {
    int i = -1;
    return tab[i];
}
