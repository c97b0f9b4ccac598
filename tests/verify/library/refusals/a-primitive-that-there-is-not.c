// A primitive that there is not.
// expect: error '__CPROVER_nothing' is not a primitive that is supported, and nothing defines it; supported are, after '__CPROVER_': assume, assert, precondition, postcondition, cover, input, output, atomic_begin, atomic_end, array_set, array_copy, array_replace, array_equal, havoc_object, havoc_slice, OBJECT_SIZE, POINTER_OFFSET, POINTER_OBJECT, DYNAMIC_OBJECT, LIVE_OBJECT, WRITEABLE_OBJECT, same_object, is_freeable, r_ok, w_ok, rw_ok, allocate, deallocate, overflow_plus, overflow_minus, overflow_mult, overflow_unary_minus, overflow_shl, isnanf, isnand, isnanld, isinff, isinfd, isinfld, isfinitef, isfinited, isfiniteld, isnormalf, isnormald, isnormalld, signf, signd, signld, fabsf, fabs, fabsl, abs, labs, llabs
// says: '__CPROVER_nothing'
// says: havoc_object
int main(void) {
    __CPROVER_nothing(1);
    return 0;
}
