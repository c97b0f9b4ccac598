long half(long x) {
    return x / 2;
}
