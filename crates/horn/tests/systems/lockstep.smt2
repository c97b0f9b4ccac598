; expect solvable
; Two loops that add the same, in lockstep; they can end at different times only if they differ.
(set-logic HORN)
(declare-fun both (Int Int Int Int Int) Bool)
(assert (forall ((n Int)) (both 0 0 0 0 n)))
(assert (forall ((i Int) (x Int) (j Int) (y Int) (n Int))
  (=> (and (both i x j y n) (< i n) (< j n)) (both (+ i 1) (+ x i) (+ j 1) (+ y j) n))))
(assert (forall ((i Int) (x Int) (j Int) (y Int) (n Int))
  (=> (and (both i x j y n) (or (< i n) (< j n)) (or (>= i n) (>= j n))) false)))
(assert (forall ((i Int) (x Int) (j Int) (y Int) (n Int))
  (=> (and (both i x j y n) (>= i n) (>= j n) (not (= x y))) false)))
(check-sat)
