#include "check.h"
#include <ctype.h>

#undef toascii
#undef tolower
#undef toupper
#undef isascii
MODEL(tolower);
MODEL(toupper);
MODEL(isascii);
MODEL(toascii);
MODEL(__ctype_b_loc);
MODEL(__ctype_tolower_loc);
MODEL(__ctype_toupper_loc);
MODEL(__ctype_get_mb_cur_max);

/* The value counts, not only whether it is 0: the macros give the same one. */
#define CLASS(name)                                                            \
    do {                                                                       \
        MODEL(name);                                                           \
        for (int c = -1; c < 256; c++) {                                       \
            CHECK(m_##name(c) == (name)(c), #name " %d: %d", c, (name)(c));    \
            CHECK(m_##name(c) == name(c), #name " %d: %d", c, name(c));        \
        }                                                                      \
    } while (0)

int main(void)
{
    CLASS(isalpha);
    CLASS(isalnum);
    CLASS(isblank);
    CLASS(iscntrl);
    CLASS(isdigit);
    CLASS(isgraph);
    CLASS(islower);
    CLASS(isprint);
    CLASS(ispunct);
    CLASS(isspace);
    CLASS(isupper);
    CLASS(isxdigit);
    for (int c = -1; c < 256; c++)
        CHECK(m_tolower(c) == tolower(c) && m_toupper(c) == toupper(c), "%d", c);
    for (int c = -300; c < 300; c++)
        CHECK(m_isascii(c) == isascii(c) && m_toascii(c) == toascii(c), "%d", c);
    for (int c = -128; c < 256; c++) {
        CHECK((*m___ctype_b_loc())[c] == (*__ctype_b_loc())[c], "%d", c);
        CHECK((*m___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c], "%d", c);
        CHECK((*m___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c], "%d", c);
    }
    CHECK(m___ctype_get_mb_cur_max() == __ctype_get_mb_cur_max(), "MB_CUR_MAX");
    return finish();
}
