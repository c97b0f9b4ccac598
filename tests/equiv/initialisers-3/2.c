int t[2] = {1, 3};
int main(void) { return t[1]; }
