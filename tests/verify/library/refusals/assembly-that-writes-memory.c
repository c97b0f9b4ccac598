// Assembly that writes memory.
// expect: unknown
// args: --unknown-functions refuse
// says: assembly
int main(void) {
    __asm__ volatile("syscall" ::: "memory");
    return 0;
}
