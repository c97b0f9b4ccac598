; expect refutable
; The same, and the bound is one too tight.
(set-logic HORN)
(declare-fun a (Int Int) Bool)
(declare-fun b (Int Int Int) Bool)
(declare-fun c (Int) Bool)
(assert (forall ((x Int) (t Int)) (=> (> x 3) (a x t))))
(assert (forall ((x Int) (t Int)) (=> (a x t) (b (+ x 1) x (* 2 t)))))
(assert (forall ((x Int) (y Int) (t Int)) (=> (b x y t) (c (+ x y)))))
(assert (forall ((x Int)) (=> (and (c x) (< x 10)) false)))
(check-sat)
