/*
 * format_timed.c - what `while true; do date; rocm-smi --csv; sleep 1; done` writes: tables under lines that are an instant each,
 * which is the column "time" of the rows below it. "row" is a row's place under its instant.
 */
#include "input/formats/formats.h"

#include <stdio.h>
#include <string.h>

#include "input/schema/units.h"
#include "input/times/clock.h"

enum { FIELDS_MAX = 512, HEAD_LINES = 40 };

bool gs_is_instant_line(struct gs_str line)
{
    line = gs_trimmed(line);
    if (line.len < 8 || line.len > 40)
        return false;
    const enum gs_time_fault f = gs_clock_read_alone(line, GS_NO_STR, GS_UNIT_NONE, NULL);
    return f == GS_TIME_OK || f == GS_TIME_OF_DAY || f == GS_TIME_DAY_MONTH ||
           f == GS_TIME_ZONE_WORD;
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
    struct gs_text_in *in;
    struct gs_record_sink *out;
    struct gs_buf time, header;
    uint32_t column[FIELDS_MAX], time_column, row_column;
    size_t n_columns;
    uint64_t row;
    bool by_place; /* the map names the columns */
};

static void parse_columns(struct timed *t, const struct gs_str *name, size_t n)
{
    t->n_columns = n;
    for (size_t i = 0; i < n; i++)
        t->column[i] = gs_record_sink_column(t->out, name[i]);
}

static enum gs_status parse_row(struct timed *t, const struct gs_str *field, size_t n,
                                struct gs_str line, struct gs_err *err)
{
    char text[80];
    if (n != t->n_columns) {
        if (n == 1) { /* a warning between the rows */
            t->out->n_other++;
            return GS_OK;
        }
        return gs_record_sink_miscounted(t->out, t->in->line_number, "field", n, t->n_columns, line,
                                         err);
    }
    for (size_t i = 0; i < n; i++)
        gs_record_sink_put(t->out, t->column[i], field[i]);
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)t->row++);
    gs_record_sink_put(t->out, t->row_column, gs_str(text));
    if (t->time.len > 0)
        gs_record_sink_put(t->out, t->time_column, gs_buf_str(&t->time));
    return gs_record_sink_end_line(t->out, t->in, line, err);
}

static enum gs_status parse_line(struct timed *t, struct gs_str line, struct gs_str *field,
                                 struct gs_err *err)
{
    const struct gs_str text = gs_trimmed(line), instant = gs_instant_of_line(line);
    if (instant.ptr != NULL) {
        t->row = 0;
        gs_buf_set(&t->time, instant);
        t->out->full |= t->time.failed;
        return GS_OK;
    }
    if (t->header.len > 0 && gs_str_eq(text, gs_buf_str(&t->header))) {
        t->out->n_ignored++;
        return GS_OK;
    }
    const size_t n = gs_cut_fields(text, ',', field, FIELDS_MAX);
    if (n == 1 && t->n_columns == 0 &&
        gs_str_begins(text, "WARNING: ")) { /* rocm-smi's, above its header */
        t->out->n_other++;
        return GS_OK;
    }
    bool names = true;
    for (size_t i = 0; i < n; i++)
        names &= begins_like_a_name(field[i]);
    if (t->by_place && names) { /* a header, though the columns have names */
        t->out->n_ignored++;
        return GS_OK;
    }
    if (t->n_columns > 0)
        return parse_row(t, field, n, line, err);
    if (!names) { /* rows without a header: columns by place, until somebody names them */
        for (size_t i = 0; i < n; i++) {
            char place[sizeof GS_UNNAMED_COLUMN + 20];
            (void)snprintf(place, sizeof place, GS_UNNAMED_COLUMN "%zu", i + 1);
            t->column[i] = gs_record_sink_column(t->out, gs_str(place));
        }
        t->n_columns = n;
        return parse_row(t, field, n, line, err);
    }
    gs_buf_add(&t->header, text);
    t->out->full |= t->header.failed;
    parse_columns(t, field, n);
    return GS_OK;
}

static enum gs_status read_timed(struct gs_text_in *in, struct gs_record_sink *out,
                                 struct gs_err *err)
{
    struct timed t = {
        .in = in, .out = out, .time = {.arena = in->arena}, .header = {.arena = in->arena}};
    GS_NEW(struct gs_str, field, FIELDS_MAX, in->arena, err);
    struct gs_str line;
    t.time_column = gs_record_sink_column(out, gs_str("time"));
    t.row_column = gs_record_sink_column(out, gs_str("row"));
    t.by_place = out->source->columns.n > 0 && out->source->columns.n <= FIELDS_MAX;
    enum gs_status s;
    if (t.by_place)
        parse_columns(&t, out->source->columns.item, out->source->columns.n);
    while (gs_text_next(in, &line, &s, err))
        if (gs_trimmed(line).len > 0)
            GS_TRY(parse_line(&t, line, field, err));
    return s;
}

const struct gs_form gs_form_timed = {.name = "timed", .matches = is_timed, .read = read_timed};
