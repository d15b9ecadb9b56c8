/* Operations and input sizes of any bytes: no fault, and what is accepted is canonical and can be counted. */
#include "target.h"
#include <math.h>

#include "studies/forest/op_features.h"

/* The first line is the operation, the rest the input size. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *const text = (const char *)data;
    size_t cut = 0;
    while (cut < size && text[cut] != '\n')
        cut++;
    struct gs_arena arena = {0};
    struct gs_operation o = {.clock_mhz = (double)NAN};
    struct gs_err err = {0};
    const enum gs_status s = gs_op_parse((struct gs_str){text, cut}, &arena, &o.op, &err);
    MUST(s == GS_OK || (s == GS_ERR_DATA && err.text[0] != '\0'));
    if (s == GS_OK) {
        /* What was read, printed and read again is what it was; quotes of empty words may add a few bytes. */
        struct gs_op again;
        if (o.op.canonical.len <= GS_OP_TEXT_MAX) {
            MUST(gs_op_parse(o.op.canonical, &arena, &again, NULL) == GS_OK);
            MUST(gs_str_eq(again.canonical, o.op.canonical));
            MUST(again.n_args == o.op.n_args && again.n_positional == o.op.n_positional);
        }
        const size_t rest = cut < size ? cut + 1 : size;
        if (gs_op_size_parse((struct gs_str){text + rest, size - rest}, &arena, &o.size, NULL) !=
            GS_OK)
            MUST(gs_op_size_parse(gs_str("(32, 3, 56, 56)"), &arena, &o.size, NULL) == GS_OK);
        struct gs_op_cost cost;
        struct gs_op_encoding e;
        if (gs_op_cost(&o.op, &o.size, &cost, &err) == GS_OK) {
            MUST(isfinite(cost.flop) && cost.flop >= 0.0 && isfinite(cost.bytes) &&
                 cost.bytes > 0.0);
            MUST(gs_op_encoding_learn(&o, 1, true, true, &arena, &e, NULL) == GS_OK);
            const size_t n = gs_op_encoding_n_features(&e);
            float *const x = malloc(n * sizeof *x);
            MUST(x != NULL && gs_op_encode(&e, &o, &cost, &arena, x, NULL) == GS_OK);
            for (size_t i = 0; i < n; i++)
                MUST(isfinite(x[i]));
            free(x);
        }
    }
    gs_arena_release(&arena);
    return 0;
}
