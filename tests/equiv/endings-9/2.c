void exit(int);
int g;
int f(int x) { exit(0); }
