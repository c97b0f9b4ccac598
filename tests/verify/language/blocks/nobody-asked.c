// Nobody asked.
// expect: safe
int main(void) {
    int *p = 0;
    {
        int z = 5;
        p = &z;
    }
    return *p;
}
