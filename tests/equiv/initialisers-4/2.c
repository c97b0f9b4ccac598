int t[2] = {1, 3};
int main(void) {
    t[0] = 5;
    return t[1];
}
