static int a = 1, b = 2;
int *p = &b;
int main(void) {
    a++;
    b++;
    b++;
    return *p;
}
