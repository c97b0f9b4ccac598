/* What functions that print read: a text up to its end, or up to so many characters. Lowering calls it where memory is checked. */

void __reprove_read_text(const char *text, unsigned long most)
{
    unsigned long i = 0;
    while (i < most && text[i] != 0)
        i++;
}
