/* Which process is next after three commands, starting with up to two processes of each priority. */
struct command {
    int what, priority;
    float ratio;
};

static void b_run(struct command c)
{
    switch (c.what) {
    case 1: b_add_process(c.priority); break;
    case 2: b_upgrade_process_prio(c.priority, c.ratio); break;
    case 3: b_block_process(); break;
    case 4: b_unblock_process(c.ratio); break;
    case 5: b_quantum_expire(); break;
    default: b_finish_process(); break;
    }
}

static void n_run(struct command c)
{
    switch (c.what) {
    case 1: n_add_process(c.priority); break;
    case 2: n_upgrade_process_prio(c.priority, c.ratio); break;
    case 3: n_block_process(); break;
    case 4: n_unblock_process(c.ratio); break;
    case 5: n_quantum_expire(); break;
    default: n_finish_process(); break;
    }
}

static int few(int most)
{
    int n = __VERIFIER_nondet_uchar() & 3;
    return n > most ? most : n;
}

int main(void)
{
    int i, prio, count[4], b, n;
    b_initialize();
    n_initialize();
    for (prio = 3; prio >= 1; prio--) {
        count[prio] = few(2);
        b_init_prio_queue(prio, count[prio]);
        n_init_prio_queue(prio, count[prio]);
    }
    for (i = 0; i < 3; i++) {
        struct command c;
        c.what = (__VERIFIER_nondet_uchar() & 7) + 1;
        c.priority = few(2) + 1;
        c.ratio = (float)few(2) / 2;
        b_run(c);
        n_run(c);
    }
    b_schedule();
    n_schedule();
    b = b_cur_proc ? b_cur_proc->b_val : -1;
    n = n_cur_proc ? n_cur_proc->n_val : -1;
    if (b != n)
        __VERIFIER_error();
    return 0;
}
