/* Model files of any bytes: refused with a reason, or walked without a fault and written back the same. */
#include "target.h"

#include "input/studies/forest_file.h"
#include "studies/forest/forest_fit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gs_arena arena = {0};
    struct gs_forest f, again;
    struct gs_err err = {0};
    const enum gs_status s =
        gs_forest_parse((struct gs_str){(const char *)data, size}, "model", &arena, &f, &err);
    MUST(s == GS_OK || (s == GS_ERR_DATA && err.text[0] != '\0'));
    if (s == GS_OK) {
        struct gs_operation o = {.clock_mhz = 1000.0, .count = 1.0};
        MUST(gs_op_parse(gs_str("Conv2d(3, 64, kernel_size=(7, 7), mode=row)"), &arena, &o.op,
                         NULL) == GS_OK);
        MUST(gs_op_size_parse(gs_str("(32, 3, 56, 56)"), &arena, &o.size, NULL) == GS_OK);
        o.op.kind = f.encoding.kind[0];
        const struct gs_operations one = {.name = "x", .row = &o, .n = 1};
        struct gs_forest_answer answer;
        const enum gs_status p = gs_forest_predict(&f, &one, &arena, &answer, &err);
        MUST(p == GS_OK || p == GS_ERR_DATA);
        struct gs_buf once = {.arena = &arena}, twice = {.arena = &arena};
        MUST(gs_forest_write(&f, &once, NULL) == GS_OK);
        MUST(gs_forest_parse(gs_buf_str(&once), "model", &arena, &again, NULL) == GS_OK);
        MUST(gs_forest_write(&again, &twice, NULL) == GS_OK);
        MUST(gs_str_eq(gs_buf_str(&once), gs_buf_str(&twice)));
    }
    gs_arena_release(&arena);
    return 0;
}
