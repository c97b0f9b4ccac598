double d = 2.5;
int main(void) { return d > 2; }
