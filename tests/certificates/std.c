// What counts depends on the dialect.
// holds: verify -std=c11
//   front.flags: ["-std=c11"]
// fails: verify -std=c99
//   front.flags: ["-std=c99"]
void reach_error(void);

int main(void) {
    if (__STDC_VERSION__ < 201112L) reach_error();
    return 0;
}
