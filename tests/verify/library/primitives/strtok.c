// Strtok.
// expect: safe
#include <assert.h>
#include <string.h>
int main(void) {
    char s[] = "a,b";
    char *p = strtok(s, ",");
    assert(p == s);
    p = strtok(0, ",");
    assert(*p == 'b');
    assert(!strtok(0, ","));
    return 0;
}
