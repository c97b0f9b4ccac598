; expect refutable
; The second version starts with 1 instead of 0.
(set-logic HORN)
(declare-fun R (Int Int Int Int Int) Bool)
(assert (forall ((n1 Int) (n2 Int) (s2 Int)) (=> (and (<= n1 0) (<= n2 0)) (R n1 0 n2 s2 s2))))
(assert (forall ((n1 Int) (r1 Int) (n2 Int) (s2 Int) (r2 Int))
  (=> (and (> n1 0) (> n2 0) (R (- n1 1) r1 (- n2 1) (+ n2 s2) r2)) (R n1 (+ r1 n1) n2 s2 r2))))
(assert (forall ((n Int) (r1 Int) (r2 Int)) (=> (and (>= n 3) (R n r1 n 1 r2) (not (= r1 r2))) false)))
(check-sat)
