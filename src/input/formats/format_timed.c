/*
 * format_timed.c - what `while true; do date; rocm-smi --csv; sleep 1; done` writes: tables under lines that are an instant each,
 * which is the column "time" of the rows below it. "row" is a row's place under its instant.
 */
#include "input/formats/formats.h"

#include <stdio.h>
#include <string.h>

#include "input/schema/column_meaning.h"
#include "input/times/clock.h"

enum { HEAD_LINES = 40 };

bool gs_is_instant_line(struct gs_str line)
{
    line = gs_trimmed(line);
    if (line.len < 8 || line.len > 40)
        return false;
    const enum gs_time_fault f = gs_clock_read_alone(line, GS_NO_STR, GS_UNIT_NONE, NULL);
    return f == GS_TIME_OF_DAY || gs_time_is_dated(f);
}

struct gs_str gs_instant_of_line(struct gs_str line)
{
    line = gs_str_strip(line, " \t=-#*[]<>|~_");
    const size_t colon = gs_str_find_byte(line, ':');
    if (colon < line.len && gs_column_meaning((struct gs_str){line.ptr, colon}) == GS_MEANS_TIME)
        line = gs_trimmed(gs_str_after(line, colon + 1));
    return gs_is_instant_line(line) ? line : GS_NO_STR;
}

static bool begins_like_a_name(struct gs_str t)
{
    return t.len > 0 && !gs_is_digit(t.ptr[0]) && memchr("-+.[", t.ptr[0], 4) == NULL;
}

/* Two instants among the first lines, each with a table's row below it; the table's header may stand above the first. */
static bool is_timed(struct gs_str head)
{
    size_t instants = 0, rows = 0, lines = 0;
    bool below = false;
    for (; head.len > 0 && lines < HEAD_LINES && rows < 2; lines++) {
        const struct gs_str line = gs_trimmed(gs_head_line(&head));
        if (gs_instant_of_line(line).ptr != NULL) {
            instants++;
            below = true;
        } else if (line.len > 0) {
            if (instants == 0 &&
                (lines > 0 || !begins_like_a_name(line) || memchr(line.ptr, ',', line.len) == NULL))
                return false;
            rows += below;
            below = false;
        }
    }
    return instants >= 2 && rows >= 2;
}

struct timed {
    struct gs_buf header;
    uint32_t time_column, row_column;
    uint64_t row;
    bool by_place; /* the map names the columns */
};

static enum gs_status parse_row(struct gs_lines *l, size_t n, struct gs_str line,
                                struct gs_err *err)
{
    struct timed *const t = l->own;
    char text[80];
    if (n != l->n_columns && n != 1)
        return gs_record_sink_miscounted(l->out, l->in->line_number, "field", n, l->n_columns, line,
                                         err);
    if (n != l->n_columns) { /* a warning between the rows */
        l->out->n_other++;
        return GS_OK;
    }
    gs_lines_put(l, n);
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)t->row++);
    gs_record_sink_put(l->out, t->row_column, gs_str(text));
    if (l->time.len > 0)
        gs_record_sink_put(l->out, t->time_column, gs_buf_str(&l->time));
    return gs_lines_end(l, line, err);
}

/* Rows without a header: columns by place, until somebody names them. */
static void name_by_place(struct gs_lines *l, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char place[sizeof GS_UNNAMED_COLUMN + 20];
        (void)snprintf(place, sizeof place, GS_UNNAMED_COLUMN "%zu", i + 1);
        l->column[i] = gs_record_sink_column(l->out, gs_str(place));
    }
    l->n_columns = n;
}

static enum gs_status timed_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    struct timed *const t = l->own;
    const struct gs_str text = gs_trimmed(line), instant = gs_instant_of_line(line);
    if (text.len == 0)
        return GS_OK;
    if (instant.ptr != NULL) {
        t->row = 0;
        gs_lines_set_time(l, instant);
        return GS_OK;
    }
    const size_t n = gs_lines_cut(l, text, ',');
    bool names = true;
    for (size_t i = 0; i < n; i++)
        names &= begins_like_a_name(l->cell[i]);
    if ((t->header.len > 0 && gs_str_eq(text, gs_buf_str(&t->header))) || (t->by_place && names)) {
        l->out->n_ignored++; /* the header again, or one though the columns have names */
        return GS_OK;
    }
    if (n == 1 && l->n_columns == 0 &&
        gs_str_begins(text, "WARNING: ")) { /* rocm-smi's, above its header */
        l->out->n_other++;
        return GS_OK;
    }
    if (l->n_columns == 0 && names) {
        gs_buf_add(&t->header, text);
        l->out->full |= t->header.failed;
        gs_lines_name(l, n);
        return GS_OK;
    }
    if (l->n_columns == 0)
        name_by_place(l, n);
    return parse_row(l, n, line, err);
}

static enum gs_status begin_timed(struct gs_lines *l, struct gs_err *err)
{
    struct timed *const t = l->own;
    const struct gs_texts *const columns = &l->out->source->columns;
    (void)err;
    t->header.arena = l->in->arena;
    t->time_column = gs_record_sink_column(l->out, gs_str("time"));
    t->row_column = gs_record_sink_column(l->out, gs_str("row"));
    t->by_place = columns->n > 0 && columns->n <= GS_LINE_CELLS;
    if (t->by_place)
        memcpy(l->cell, columns->item, columns->n * sizeof *l->cell);
    gs_lines_name(l, t->by_place ? columns->n : 0);
    return GS_OK;
}

const struct gs_form gs_form_timed = {
    .name = "timed",
    .matches = is_timed,
    .lines = {sizeof(struct timed), begin_timed, timed_line, NULL}};
