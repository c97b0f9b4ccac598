// Options with values that are copied; the last one of a name counts.
// expect: safe
// check: memory,leak
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static char *name, *path;

static void set(char **option, const char *value)
{
    free(*option);
    *option = strdup(value);
}

int main(void)
{
    const char *values[] = { "a", "bb", "c" };

    for (int i = 0; i < 3; i++) {
        switch (__VERIFIER_nondet_int()) {
        case 1:
            set(&name, values[i]);
            break;
        case 2:
            set(&path, values[i]);
            break;
        default:
            break;
        }
    }
    return 0;
}
