/* Which process is next after three commands, starting with two processes of the lowest priority and one of each other. */
static float ratio(void)
{
    unsigned char n = __VERIFIER_nondet_uchar() & 3;
    return n == 0 ? 0 : n == 1 ? 0.5f : 1;
}

static void both(int command, int priority)
{
    float r;
    switch (command) {
    case 1:
        b_add_process(priority);
        n_add_process(priority);
        break;
    case 2:
        r = ratio();
        b_upgrade_process_prio(priority, r);
        n_upgrade_process_prio(priority, r);
        break;
    case 3:
        b_block_process();
        n_block_process();
        break;
    case 4:
        r = ratio();
        b_unblock_process(r);
        n_unblock_process(r);
        break;
    case 5:
        b_quantum_expire();
        n_quantum_expire();
        break;
    default:
        b_finish_process();
        n_finish_process();
        break;
    }
}

static void check(int first, int second, int third, int priority)
{
    int prio;
    b_initialize();
    n_initialize();
    for (prio = 3; prio >= 1; prio--) {
        b_init_prio_queue(prio, prio == 1 ? 2 : 1);
        n_init_prio_queue(prio, prio == 1 ? 2 : 1);
    }
    both(first, priority);
    both(second, priority);
    both(third, priority);
    b_schedule();
    n_schedule();
    if ((b_cur_proc ? b_cur_proc->b_val : -1) != (n_cur_proc ? n_cur_proc->n_val : -1))
        __VERIFIER_error();
}

int main(void)
{
    switch (__VERIFIER_nondet_uchar()) {
    case 0: check(3, 3, 4, 1); break;
    case 1: check(2, 6, 6, 1); break;
    case 2: check(2, 5, 6, 2); break;
    case 3: check(1, 5, 6, 3); break;
    case 4: check(6, 6, 2, 1); break;
    case 5: check(3, 4, 5, 1); break;
    case 6: check(6, 3, 4, 2); break;
    default: check(5, 1, 2, 1); break;
    }
    return 0;
}
