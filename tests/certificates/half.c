// What is asked depends on conditions.
// holds: equiv half-new.c --pre n>=0
//   pairs.0.contract.pre: ["n>=0"]
// fails: equiv half-new.c
// fails: equiv half-new.c --pre n>=-9
//   pairs.0.contract.pre: ["n>=-9"]
// holds: equiv half-new.c --post result$1>=result$2
//   pairs.0.contract.post: ["result$1>=result$2"]
// fails: equiv half-new.c --post result$1==result$2
//   pairs.0.contract.post: ["result$1==result$2"]
int f(int n) { return n / 2; }
