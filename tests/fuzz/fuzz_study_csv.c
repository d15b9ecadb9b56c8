/*
 * The other studies' tables of any bytes: refused with a reason, or evaluated without a fault. The first byte
 * chooses the table.
 */
#include "target.h"

#include "studies/tables/crosstalk.h"
#include "input/import/spans_csv.h"
#include "studies/tables/proportionality.h"
#include "input/studies/study_csv.h"
#include "studies/tables/sweep.h"
#include "studies/tables/validate.h"

static enum gs_status evaluate(int kind, const char *path, struct gs_arena *arena,
                               struct gs_err *err)
{
    struct gs_frames out = {.notes = {.arena = arena}};
    enum gs_status s;
    if (kind == 0) {
        struct gs_iteration_table t;
        struct gs_proportionality a;
        struct gs_frame *points;
        s = gs_iterations_read(path, arena, &out.notes, &t, err);
        if (s == GS_OK)
            MUST(gs_proportionality_frames(&t, arena, &out, &points, &a, NULL) == GS_OK);
    } else if (kind == 1) {
        struct gs_cost_table t;
        s = gs_costs_read(path, arena, &out.notes, &t, err);
        if (s == GS_OK)
            s = gs_validate_frame(&t, arena, &out, err);
    } else if (kind == 2) {
        struct gs_crosstalk_table t;
        s = gs_crosstalk_read(path, arena, &out.notes, &t, err);
        if (s == GS_OK)
            MUST(gs_crosstalk_frame(&t, arena, &out, NULL) == GS_OK &&
                 gs_crosstalk_matrix(out.first, arena, &out, NULL) == GS_OK);
    } else if (kind == 3) {
        struct gs_sweep_table t;
        struct gs_sweep_frames f;
        s = gs_sweep_read(path, &(struct gs_sweep_columns){0}, arena, &out.notes, &t, err);
        if (s == GS_OK)
            MUST(gs_sweep_evaluate(&t, &(struct gs_sweep_options){{0.75, 2}}, arena, &out.notes, &f,
                                   NULL) == GS_OK);
    } else {
        struct gs_span_list spans;
        s = gs_spans_read(path, &(struct gs_zone){0}, arena, &out.notes, &spans, err);
        for (size_t i = 0; s == GS_OK && i < spans.n; i++)
            MUST(spans.span[i].start_ns <= spans.span[i].stop_ns &&
                 (i == 0 || spans.span[i - 1].start_ns <= spans.span[i].start_ns));
    }
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    char path[MEMORY_PATH_MAX];
    const int fd = bytes_as_file(data + 1, size - 1, path);
    struct gs_arena arena = {0};
    struct gs_err err = {0};
    const enum gs_status s = evaluate(data[0] % 5, path, &arena, &err);
    MUST(s == GS_OK || (s == GS_ERR_DATA && err.text[0] != '\0') || s == GS_ERR_IO);
    gs_arena_release(&arena);
    MUST(close(fd) == 0);
    return 0;
}
