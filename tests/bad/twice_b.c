int twice(int x) {
    return x + x;
}

int main(void) {
    return twice(1);
}
