void exit(int);
void abort(void);
int f(int x) {
    if (x > 5) abort();
    return 0;
}
