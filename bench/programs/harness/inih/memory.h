/* A reader of text in memory that behaves as fgets does. */
struct memory {
    const char *next;
    int left;
};

static char *read_line(char *line, int size, void *stream)
{
    struct memory *m = stream;
    int n = 0;

    if (m->left == 0 || size < 2)
        return 0;
    while (n < size - 1 && m->left > 0) {
        char c = *m->next++;
        m->left--;
        line[n++] = c;
        if (c == '\n')
            break;
    }
    line[n] = '\0';
    return line;
}
