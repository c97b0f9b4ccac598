; expect refutable
; A byte that is doubled does not stay above what it started from.
(set-logic HORN)
(declare-fun grow ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8))) (=> (bvugt x #x02) (grow x x))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (grow x y) (grow x (bvshl y #x01)))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (grow x y) (bvult y x) (bvult x #x10)) false)))
(check-sat)
