// States are enumerated.
// holds: verify
//   made by: --engine explicit
//   proof: explored
// fails: verify -DJUMP=7
//   front.macros: ["-DJUMP=7"]
int __VERIFIER_nondet_int(void);
void reach_error(void);
#define in __VERIFIER_nondet_int

#ifndef JUMP
#define JUMP 4
#endif

int state = 1, level = 50;

int main(void) {
    while (1) {
        int x = in();
        if (state == 1 && x == 4) state = 2;
        else if (state == 2 && x == 5) state = 3;
        else if (state == 3) state = x == 1 ? JUMP : 1;
        else if (state == 4) state = 1;
        if (x == 6 && level <= 100) level = level % 70 + 200;
        else if (x == 7 && level > 100) level = level * 3 - 1200;
        else if (x == 8 && level > 0 && level < 100) level++;
        if (state == 7 || level > 300) reach_error();
    }
}
