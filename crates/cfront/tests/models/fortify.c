#include "check.h"
#include <setjmp.h>

/* The models' abort comes here, as tests/models.rs renames it: room too small must abort, enough room must not. */
static jmp_buf aborted;

void m_abort(void)
{
    longjmp(aborted, 1);
}

void *m___memcpy_chk(void *, const void *, size_t, size_t);
void *m___memmove_chk(void *, const void *, size_t, size_t);
void *m___mempcpy_chk(void *, const void *, size_t, size_t);
void *m___memset_chk(void *, int, size_t, size_t);
char *m___strcpy_chk(char *, const char *, size_t);
char *m___stpcpy_chk(char *, const char *, size_t);
char *m___strncpy_chk(char *, const char *, size_t, size_t);
char *m___stpncpy_chk(char *, const char *, size_t, size_t);
char *m___strcat_chk(char *, const char *, size_t);
char *m___strncat_chk(char *, const char *, size_t, size_t);

#define RUN(needed, call, model)                                              \
    do {                                                                      \
        memset(x, 0, sizeof x), memset(y, 0, sizeof y);                       \
        strcpy(x, "ab"), strcpy(y, "ab");                                     \
        char *to = x;                                                         \
        ptrdiff_t p = (char *)(call) - x;                                     \
        to = y;                                                               \
        if (setjmp(aborted) == 0) {                                           \
            ptrdiff_t q = (char *)(model) - y;                                \
            CHECK((needed) <= room && p == q, #call " %d %zu", n, room);      \
            CHECK(memcmp(x, y, sizeof x) == 0, #call " %d %zu", n, room);     \
        } else {                                                              \
            CHECK((needed) > room, #call " %d %zu", n, room);                 \
        }                                                                     \
    } while (0)

int main(void)
{
    static char x[32], y[32];
    static const char s[] = "0123456789";
    for (size_t room = 3; room < 20; room++) {
        for (int n = 0; n < 9; n++) {
            const char *a = s + n;
            RUN((size_t)n, memcpy(to, s, n), m___memcpy_chk(to, s, n, room));
            RUN((size_t)n, memmove(to, s, n), m___memmove_chk(to, s, n, room));
            RUN((size_t)n, mempcpy(to, s, n), m___mempcpy_chk(to, s, n, room));
            RUN((size_t)n, memset(to, 7, n), m___memset_chk(to, 7, n, room));
            RUN(strlen(a) + 1, strcpy(to, a), m___strcpy_chk(to, a, room));
            RUN(strlen(a) + 1, stpcpy(to, a), m___stpcpy_chk(to, a, room));
            RUN((size_t)n, strncpy(to, "abc", n), m___strncpy_chk(to, "abc", n, room));
            RUN((size_t)n, stpncpy(to, "abc", n), m___stpncpy_chk(to, "abc", n, room));
            RUN(strlen(a) + 3, strcat(to, a), m___strcat_chk(to, a, room));
            RUN((size_t)n + 3, strncat(to, s, n), m___strncat_chk(to, s, n, room));
        }
    }
    return finish();
}
