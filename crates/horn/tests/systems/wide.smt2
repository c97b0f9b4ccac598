; expect solvable
; 64 bits: sums with and without an accumulator, and products of it, in lockstep.
(set-logic HORN)
(declare-fun both ((_ BitVec 64) (_ BitVec 64) (_ BitVec 64) (_ BitVec 64) (_ BitVec 64)) Bool)
(assert (forall ((n (_ BitVec 64)) (s (_ BitVec 64))) (both n n s s (bvmul n s))))
(assert (forall ((n (_ BitVec 64)) (m (_ BitVec 64)) (s (_ BitVec 64)) (t (_ BitVec 64)) (k (_ BitVec 64)))
  (=> (and (both n m s t k) (not (= n #x0000000000000000)))
    (both (bvsub n #x0000000000000001) (bvadd m #xffffffffffffffff)
          (bvadd s (bvmul n n)) (bvadd t (bvmul n m)) (bvadd k s)))))
(assert (forall ((n (_ BitVec 64)) (m (_ BitVec 64)) (s (_ BitVec 64)) (t (_ BitVec 64)) (k (_ BitVec 64)))
  (=> (and (both n m s t k) (= n #x0000000000000000) (not (= s t))) false)))
(check-sat)
