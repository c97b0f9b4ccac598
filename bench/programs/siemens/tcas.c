/* The advisory of both versions, for any measurements. */
#define RUN(p) \
    (p##initialize(), p##Cur_Vertical_Sep = in[0], p##High_Confidence = in[1], \
     p##Two_of_Three_Reports_Valid = in[2], p##Own_Tracked_Alt = in[3], p##Own_Tracked_Alt_Rate = in[4], \
     p##Other_Tracked_Alt = in[5], p##Alt_Layer_Value = layer, p##Up_Separation = in[6], \
     p##Down_Separation = in[7], p##Other_RAC = in[8], p##Other_Capability = in[9], \
     p##Climb_Inhibit = in[10], p##alt_sep_test())

int main(void)
{
    int in[11], i, layer = __VERIFIER_nondet_uchar() & 3;
    for (i = 0; i < 11; i++)
        in[i] = __VERIFIER_nondet_int();
    if (RUN(b_) != RUN(n_))
        __VERIFIER_error();
    return 0;
}
