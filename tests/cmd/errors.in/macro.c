#define LARGER(a, b) ((a) > (b) ? (a) : (b))

int main(void) {
    int x = 1;
    return LARGER(x, y) + z;
}
