; expect refutable
; One of the copies starts at 1.
(set-logic HORN)
(declare-fun copy ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((h (Array Int Int)) (n Int)) (=> (> n 0) (copy h h 0 n))))
(assert (forall ((h (Array Int Int)) (i Int) (g (Array Int Int)) (n Int))
  (=> (and (copy h g i n) (< i n)) (copy (store h i 7) (ite (= i 0) g (store g i 7)) (+ i 1) n))))
(assert (forall ((h (Array Int Int)) (i Int) (g (Array Int Int)) (n Int))
  (=> (and (copy h g i n) (>= i n) (not (= h g))) false)))
(check-sat)
