; expect solvable
; The older dialect, with a macro: x and y count down together.
(declare-rel inv (Int Int))
(declare-rel bad ())
(declare-var x Int)
(declare-var y Int)
(define-fun down ((v Int)) Int (- v 1))
(rule (=> (= x y) (inv x y)))
(rule (=> (and (inv x y) (> x 0)) (inv (down x) (down y))))
(rule (=> (and (inv x y) (distinct x y)) bad))
(query bad :print-certificate true)
