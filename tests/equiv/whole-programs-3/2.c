int main(void) { return 5; }
