// Write to a literal.
// expect: unsafe 7
// engine: bmc
// check: memory
int main(void) {
    char *s = "abc";
    s[1] = 'x';
}
