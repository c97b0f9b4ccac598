; expect refutable
; The second loop forgets its third addend.
(set-logic HORN)
(declare-fun both (Int Int Int Int) Bool)
(assert (forall ((n Int)) (both 0 0 0 n)))
(assert (forall ((i Int) (x Int) (y Int) (n Int))
  (=> (and (both i x y n) (< i n)) (both (+ i 1) (+ x 5) (ite (= i 2) y (+ y 5)) n))))
(assert (forall ((i Int) (x Int) (y Int) (n Int)) (=> (and (both i x y n) (>= i n) (not (= x y))) false)))
(check-sat)
