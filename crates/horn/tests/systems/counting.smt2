; expect solvable
; A loop counts up to n and stops there.
(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 0) (inv 0 n))))
(assert (forall ((x Int) (n Int)) (=> (and (inv x n) (< x n)) (inv (+ x 1) n))))
(assert (forall ((x Int) (n Int)) (=> (and (inv x n) (>= x n) (not (= x n))) false)))
(check-sat)
