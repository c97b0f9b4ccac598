// expect: equivalent
static int k = 5;
int main(void) { return k; }
