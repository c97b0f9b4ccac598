// expect: different or unknown
static int k = 5;
int main(void) { return k; }
