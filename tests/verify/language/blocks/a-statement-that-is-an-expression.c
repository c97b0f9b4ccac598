// A statement that is an expression.
// expect: unsafe 9
// check: memory
int main(void) {
    int *q = ({
        int t = 3;
        &t;
    });
    return *q;
}
