int main(void) {
    int s = 0;
    for (;;) {
        s++;
        if (s & 1) s += 2;
    }
}
