// Refused.
// expect: unknown
// args: --unknown-functions refuse
// says: free
void free(int *, int);
int main(void) {
    int x = 1;
    free(&x, 1);
    return 0;
}
