// Own fgets static.
// expect: safe
#include <assert.h>
static char *fgets(char *s, int n) {
    s[0] = 'a';
    return s;
}
int main(void) {
    char b[3];
    fgets(b, 3);
    assert(b[0] == 'a');
    return 0;
}
