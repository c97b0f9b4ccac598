; expect solvable
; McCarthy's function: above 100 it subtracts 10, below it is 91. Two recursive calls in one clause.
(set-logic HORN)
(declare-fun f (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 100) (f n (- n 10)))))
(assert (forall ((n Int) (m Int) (r Int)) (=> (and (<= n 100) (f (+ n 11) m) (f m r)) (f n r))))
(assert (forall ((n Int) (r Int)) (=> (and (f n r) (<= n 101) (not (= r 91))) false)))
(check-sat)
