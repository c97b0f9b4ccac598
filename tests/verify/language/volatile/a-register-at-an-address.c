// A register at an address.
// expect: safe
// assumes: volatile
// assumes: address
int main(void) { return *(volatile unsigned *)0x40000000 != 0; }
