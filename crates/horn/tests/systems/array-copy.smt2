; expect solvable
; Two ways to copy: heaps as arrays stay equal if the cursors do.
(set-logic HORN)
(declare-fun copy ((Array Int Int) Int (Array Int Int) Int Int) Bool)
(assert (forall ((h (Array Int Int)) (n Int)) (copy h 0 h 0 n)))
(assert (forall ((h (Array Int Int)) (i Int) (g (Array Int Int)) (j Int) (n Int))
  (=> (and (copy h i g j n) (< i n))
    (copy (store h i (select h (+ i n))) (+ i 1) (store g j (select g (+ j n))) (+ 1 j) n))))
(assert (forall ((h (Array Int Int)) (i Int) (g (Array Int Int)) (j Int) (n Int))
  (=> (and (copy h i g j n) (>= i n) (not (= h g))) false)))
(check-sat)
