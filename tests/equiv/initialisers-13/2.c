char *s = "cb";
int main(void) { return s[0]; }
