//! Nothing is assumed silently: functions without a body, undefined behaviour that no check asks about, and
//! what is listed.

mod support;
use support::check;

#[test]
fn functions_without_a_body_write_what_they_can_reach() {
    check(
        "
== a pointer argument | | UNSAFE +ext
#include <assert.h>
void ext(int *p);
int main(void) { int x = 0; ext(&x); assert(x == 0); return 0; }
== what was not given away stays | | SAFE +ext
#include <assert.h>
void ext(int *p);
int main(void) { int x = 0, y = 0; ext(&x); assert(y == 0); return 0; }
== nothing happens before the call | | SAFE
#include <assert.h>
void ext(int *p); void other(void);
int main(void) { int x = 1; other(); assert(x == 1); ext(&x); return 0; }
== the pointer was kept | | UNSAFE
#include <assert.h>
void keep(int *p); void step(void);
int main(void) { int x = 0; keep(&x); x = 1; step(); assert(x == 1); return 0; }
== a pointer in what is given | | UNSAFE
#include <assert.h>
struct s { int a; int *p; };
void ext(struct s *s);
int main(void) { int x = 0; struct s s = {1, &x}; ext(&s); assert(x == 0); return 0; }
== a list | | UNSAFE
#include <assert.h>
struct node { struct node *next; int value; };
void ext(struct node *n);
int main(void) {
  struct node c = {0, 3}, b = {&c, 2}, a = {&b, 1};
  ext(&a);
  assert(c.value == 3);
  return 0;
}
== a global that others see | | UNSAFE
#include <assert.h>
int g; void ext(void);
int main(void) { g = 0; ext(); assert(g == 0); return 0; }
== a global that nobody sees | | SAFE
#include <assert.h>
static int g; void ext(void);
int main(void) { g = 0; ext(); assert(g == 0); return 0; }
== a static variable whose address is given away | | UNSAFE
#include <assert.h>
static int g; void ext(int *p); void step(void);
int main(void) { ext(&g); g = 0; step(); assert(g == 0); return 0; }
== through a global pointer | | UNSAFE
#include <assert.h>
int *shared; void ext(void);
int main(void) { int x = 0; shared = &x; ext(); assert(x == 0); return 0; }
== a constant stays | | SAFE
#include <assert.h>
static const int table[2] = {1, 2}; void ext(const int *p);
int main(void) { ext(table); assert(table[1] == 2); return 0; }
== an array | | UNSAFE
#include <assert.h>
void ext(char *p);
int main(void) { char b[16] = \"abc\"; ext(b + 3); assert(b[0] == 'a'); return 0; }
== the heap | | UNSAFE
#include <assert.h>
#include <stdlib.h>
void ext(int *p);
int main(void) { int *p = malloc(sizeof *p); *p = 1; ext(p); assert(*p == 1); return 0; }
== on one path only | | SAFE
#include <assert.h>
void ext(int *p); int nondet_int(void);
int main(void) { int x = 0, c = nondet_int(); if (c) ext(&x); if (!c) assert(x == 0); return 0; }
== on one path, and then | | UNSAFE
#include <assert.h>
void ext(int *p); int nondet_int(void); void step(void);
int main(void) { int x = 0; if (nondet_int()) ext(&x); step(); assert(x != 7); return 0; }
== in a loop | | UNSAFE
#include <assert.h>
void ext(int *p); int nondet_int(void);
int main(void) { int x = 0; for (int i = 0; i < 3; i++) { assert(x < 10); ext(&x); } return 0; }
== a local of the caller | | UNSAFE
#include <assert.h>
void ext(int *p);
static void callee(int *p) { ext(p); }
int main(void) { int x = 0; callee(&x); assert(x == 0); return 0; }
== a pointer to it | | UNSAFE
#include <assert.h>
void ext(int *p); int nondet_int(void);
static void own(int *p) { *p = 0; }
int main(void) { void (*f)(int *) = nondet_int() ? ext : own; int x = 0; f(&x); assert(x == 0); return 0; }
== variadic | | UNSAFE
#include <assert.h>
void ext(int n, ...);
int main(void) { int x = 0; ext(1, &x); assert(x == 0); return 0; }
== declared without a prototype | | UNSAFE
#include <assert.h>
void ext();
int main(void) { int x = 0; ext(&x); assert(x == 0); return 0; }
== as SV-COMP has it | --unknown-functions pure | SAFE +ext
#include <assert.h>
void ext(int *p);
int main(void) { int x = 0; ext(&x); assert(x == 0); return 0; }
== refused | --unknown-functions refuse | UNKNOWN +ext
#include <assert.h>
void ext(int *p);
int main(void) { int x = 0; ext(&x); assert(x == 0); return 0; }
== refused, but not reached | --unknown-functions refuse | SAFE
#include <assert.h>
void ext(int *p);
static void unused(int *p) { ext(p); }
int main(void) { int x = 0; assert(x == 0); return 0; }
== refused, and fails before | --unknown-functions refuse | UNSAFE
#include <assert.h>
void ext(int *p);
int main(void) { int x = 0; assert(x == 1); ext(&x); return 0; }
== predicate | --engine predicate | SAFE
#include <assert.h>
void ext(int *p); int nondet_int(void); static int g;
int main(void) { int x; while (nondet_int()) { ext(&x); g = 1; assert(g == 1); } return 0; }
== predicate finds nothing wrong to be right | --engine predicate | UNSAFE or UNKNOWN
#include <assert.h>
void ext(int *p); int nondet_int(void);
int main(void) { int x = 0; while (nondet_int()) { ext(&x); } assert(x == 0); return 0; }
",
    );
}

#[test]
fn undefined_behaviour_that_no_check_asks_about_is_listed_or_seen() {
    check(
        "
== an index that no check depends on | | SAFE +memory
extern int nondet_int(void);
int main(void) { int a[2]; a[nondet_int()] = 1; return 0; }
== an index that a check depends on | | SAFE or UNKNOWN +undefined +memory
#include <assert.h>
extern int nondet_int(void);
int main(void) { int a[2] = {0, 0}, i = nondet_int(); assert(a[i] == 0); return 0; }
== a division | | SAFE +division +div
#include <assert.h>
extern int nondet_int(void);
int main(void) { int x = nondet_int(); int y = 10 / x; assert(y <= 10); return 0; }
== a division, asked | --check div | UNSAFE
extern int nondet_int(void);
int main(void) { int x = nondet_int(); return 10 / x; }
== a division, strict | --undefined strict | UNKNOWN +division
#include <assert.h>
extern int nondet_int(void);
int main(void) { int x = nondet_int(); int y = 10 / x; assert(y <= 10); return 0; }
== a division that no check depends on, strict | --undefined strict | UNKNOWN +undefined
extern int nondet_int(void);
int main(void) { int x = nondet_int(); return 10 / x; }
== nothing undefined, strict | --undefined strict | SAFE -wraps
#include <assert.h>
extern unsigned nondet_uint(void);
int main(void) { unsigned x = nondet_uint() % 8; assert(x < 8); return 0; }
== an overflow | | SAFE +wraps
#include <assert.h>
extern int nondet_int(void);
int main(void) { int x = nondet_int(); assert(x + 1 != x); return 0; }
== a float that may not fit | | SAFE +floating
extern double nondet_double(void);
int main(void) { return (int)nondet_double() > 3; }
== one that is true or false | | SAFE -floating
extern double nondet_double(void);
int main(void) { return (_Bool)nondet_double(); }
== the quotient that does not fit | --check div | UNSAFE
int main(void) { int x = -2147483647 - 1, y = -1; return x / y; }
== its remainder | --check div | UNSAFE
int main(void) { long x = -9223372036854775807L - 1, y = -1; return (int)(x % y); }
== a violation is executed | | UNSAFE -wraps
#include <assert.h>
extern int nondet_int(void);
int main(void) { int x = nondet_int(); assert(x + 1 != 5); return 0; }
",
    );
}
