// expect: different or unknown
int t[2] = {1, 2};
int main(void) { return t[1]; }
