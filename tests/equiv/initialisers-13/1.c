// expect: different or unknown
char *s = "ab";
int main(void) { return s[0]; }
