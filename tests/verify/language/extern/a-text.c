// A text.
// expect: safe
// check: memory
// assumes: banner
extern const char banner[];
int main(void) { return banner[0]; }
