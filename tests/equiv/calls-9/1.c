// expect: different
typedef int (*op)(int);
static int h(int a) { return a + 1; }
static int k(int a) { return a; }
op table[2] = {h, k};
int main(void) { return table[1](3); }
