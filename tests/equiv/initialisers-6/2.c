static int a = 1, b = 2;
int *p = &b;
int main(void) { return *p; }
