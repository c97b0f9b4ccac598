// expect: different or unknown
double d = 1.5;
int main(void) { return d > 2; }
