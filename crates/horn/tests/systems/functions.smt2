; expect solvable
; An unknown function applied to the same gives the same.
(set-logic HORN)
(declare-fun h (Int) Int)
(declare-fun both (Int Int) Bool)
(assert (forall ((x Int)) (both x x)))
(assert (forall ((x Int) (y Int)) (=> (both x y) (both (h x) (h y)))))
(assert (forall ((x Int) (y Int)) (=> (and (both x y) (not (= x y))) false)))
(check-sat)
