; expect refutable
; The loop steps by two, and jumps over an odd n.
(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 5) (inv 0 n))))
(assert (forall ((x Int) (n Int)) (=> (and (inv x n) (< x n)) (inv (+ x 2) n))))
(assert (forall ((x Int) (n Int)) (=> (and (inv x n) (>= x n) (not (= x n))) false)))
(check-sat)
