// Its remainder.
// expect: unsafe 6
// check: div
int main(void) {
    long x = -9223372036854775807L - 1, y = -1;
    return (int)(x % y);
}
