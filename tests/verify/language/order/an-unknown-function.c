// An unknown function.
// expect: safe
// assumes: left
int g;
int ext(void);
int main(void) { return g - ext(); }
