// expect: different or unknown
static int h(int a) { return a + 1; }
static int k(int a) { return a; }
int (*t)(int) = h;
int main(void) { return t(7); }
