// A matrix of rows, whose first row is read after it was freed.
// expect: unsafe 55
#include <assert.h>
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define ROWS 3

struct matrix {
    unsigned rows, columns;
    int **cell;
};

static void drop(struct matrix *m)
{
    for (unsigned r = 0; r < m->rows; r++)
        free(m->cell[r]);
    free(m->cell);
    m->cell = NULL;
}

static int make(struct matrix *m, unsigned rows, unsigned columns)
{
    m->rows = rows;
    m->columns = columns;
    m->cell = calloc(rows, sizeof *m->cell);
    if (!m->cell)
        return -1;
    for (unsigned r = 0; r < rows; r++) {
        m->cell[r] = calloc(columns, sizeof **m->cell);
        if (!m->cell[r]) {
            drop(m);
            return -1;
        }
    }
    return 0;
}

int main(void)
{
    struct matrix m;
    unsigned columns = __VERIFIER_nondet_uint() % 4 + 1;
    int trace = 0;
    int *first;

    if (make(&m, ROWS, columns) != 0)
        return 1;
    for (unsigned i = 0; i < ROWS && i < columns; i++)
        m.cell[i][i] = 1;
    for (unsigned i = 0; i < ROWS && i < columns; i++)
        trace += m.cell[i][i];
    first = m.cell[0];
    drop(&m);
    trace -= first[0];
    assert(trace == (int)(columns < ROWS ? columns : ROWS) - 1);
    return 0;
}
