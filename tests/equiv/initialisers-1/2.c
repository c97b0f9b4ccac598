static int k = 6;
int main(void) { return k; }
