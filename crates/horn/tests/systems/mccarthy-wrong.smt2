; expect refutable
; With 102, the result is 92.
(set-logic HORN)
(declare-fun f (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 100) (f n (- n 10)))))
(assert (forall ((n Int) (m Int) (r Int)) (=> (and (<= n 100) (f (+ n 11) m) (f m r)) (f n r))))
(assert (forall ((n Int) (r Int)) (=> (and (f n r) (> n 98) (<= n 102) (> r 91)) false)))
(check-sat)
