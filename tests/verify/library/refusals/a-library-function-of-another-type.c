// A library function of another type.
// expect: safe
// says: 'read'
// says: another
// says: type
int read(int);
int main(void) { return read(1); }
