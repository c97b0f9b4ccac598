int f(int x, int y) {
    int s = 0;
    for (int i = 0; i < 2; i++) s ^= y + i == -1 ? -x : x / (y + i);
    return s;
}
