int f(char c) { return (unsigned char)c < 0; }
