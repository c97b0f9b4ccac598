// expect: different or unknown
static int a = 1, b = 2;
int *p = &a;
int main(void) { return *p; }
