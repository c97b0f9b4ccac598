static const int table[4] = {2, 3, 5, 7};
int f(unsigned i) {
    switch (i % 4) {
    case 0: return 2;
    case 1: return 3;
    case 2: return 5;
    }
    return 7;
}
