; expect solvable
; Bytes: one adds two, the other adds one twice; they wrap together.
(set-logic HORN)
(declare-fun both ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8))) (both x x)))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)))
  (=> (both x y) (both (bvadd x #x02) (bvadd (bvadd y #x01) #x01)))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (both x y) (bvult x y)) false)))
(check-sat)
