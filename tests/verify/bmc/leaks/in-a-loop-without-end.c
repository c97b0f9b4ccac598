// In a loop without end.
// expect: safe
// engine: bmc
// check: leak
int main(void) { for (;;); }
