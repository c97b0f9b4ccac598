/* The handler that the harnesses of inih give to it: it looks at all the text that it is given, and says yes or no. */
#include <stddef.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);
extern int __VERIFIER_nondet_int(void);

#if INI_HANDLER_LINENO
static int handler(void *user, const char *section, const char *name, const char *value, int lineno)
#else
static int handler(void *user, const char *section, const char *name, const char *value)
#endif
{
    size_t *seen = user;

    *seen += strlen(section);
    if (name)
        *seen += strlen(name);
    if (value)
        *seen += strlen(value);
#if INI_HANDLER_LINENO
    *seen += lineno;
#endif
    return __VERIFIER_nondet_int();
}
