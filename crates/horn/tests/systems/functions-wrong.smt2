; expect refutable
; An unknown function applied to something else may give something else.
(set-logic HORN)
(declare-fun h (Int) Int)
(declare-fun both (Int Int) Bool)
(assert (forall ((x Int)) (both x (+ x 1))))
(assert (forall ((x Int) (y Int)) (=> (both x y) (both (h x) (h y)))))
(assert (forall ((x Int) (y Int)) (=> (and (both x y) (= x 3) (= y 17)) false)))
(check-sat)
