// Its value stays.
// expect: safe
// check: memory
static int get(int *p) { return *p; }
int main(void) {
    int q = ({
        int t = 3;
        get(&t);
        t;
    });
    return q == 3 ? ({
        int u[2] = {1, 2};
        get(u);
        u[1];
    })
                  : 0;
}
