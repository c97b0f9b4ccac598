// expect: different or unknown
int t[2] = {1, 2};
int main(void) {
    t[0] = 5;
    return t[1];
}
