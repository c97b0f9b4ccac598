// Cprover assume variable.
// expect: error called object is not a function
int __CPROVER_assume;
int main(void) {
    __CPROVER_assume(1);
    return 0;
}
