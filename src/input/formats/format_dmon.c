/*
 * format_dmon.c - nvidia-smi dmon and dcgmi dmon: lines of '#' name the columns, blanks part them. dcgmi writes no times: people
 * put one in front of each line, or on a line of its own above the rows, which is then the column "timestamp".
 */
#include "input/formats/formats.h"

#include <string.h>

struct dmon {
    bool named, dcgmi, stamped; /* stamped: a time stands in front of each line */
    int date, time;             /* places of dmon -o DT, else -1 */
    struct gs_buf stamp;
};

/* Dates and times, then "gpu" or "Entity", behind '#' and perhaps a time; commas may part them (--format csv). */
static bool is_dmon_line(struct gs_str line)
{
    enum { FIRST = 4 };
    struct gs_str time, name[FIRST];
    if (line.len > 0 && gs_is_digit(line.ptr[0]))
        (void)gs_line_instant(line, &time, &line);
    line = gs_trimmed(line);
    const size_t n = gs_cut_between(line, " \t,#\r", name, FIRST);
    size_t i = 0;
    while (i < n &&
           (gs_str_eq_nocase(name[i], gs_str("Date")) || gs_str_eq_nocase(name[i], gs_str("Time"))))
        i++; /* "#Warming up the GPU" is a comment, "# GPU" the title of a table */
    return gs_str_begins(line, "#") && i < n &&
           (gs_str_eq_nocase(name[i], gs_str("Entity")) ||
            (i + 1 < n && gs_str_eq(name[i], gs_str("gpu"))));
}

/* The line that names columns; the next one, of units, and its repetitions are passed over. */
static void parse_names(struct gs_lines *l, struct dmon *d, size_t n)
{
    d->dcgmi = n > 0 && gs_str_eq_nocase(l->cell[0], gs_str("Entity"));
    d->named = true;
    d->date = d->time = -1;
    gs_lines_name(l, n);
    for (size_t i = 0; i < n; i++) {
        if (gs_str_eq_nocase(l->cell[i], gs_str("Date")))
            d->date = (int)i;
        if (gs_str_eq_nocase(l->cell[i], gs_str("Time")))
            d->time = (int)i;
    }
}

/* dmon's YYYYMMDD and HH:MM:SS as one instant; with -o T a time of day alone. */
static struct gs_str stamp_of(const struct gs_lines *l, struct dmon *d)
{
    const struct gs_str date = d->date < 0 ? gs_str("") : l->cell[d->date];
    d->stamp.len = 0;
    if (date.len == 8)
        gs_buf_format(&d->stamp, "%.4s-%.2s-%.2s", date.ptr, date.ptr + 4, date.ptr + 6);
    else
        gs_buf_add(&d->stamp, date);
    gs_buf_text_if(&d->stamp, date.len > 0, " ");
    gs_buf_add(&d->stamp, l->cell[d->time]);
    l->out->full |= d->stamp.failed;
    return gs_buf_str(&d->stamp);
}

/* Is a line a time and nothing else? It holds for the rows below it. */
static bool is_time_alone(const struct dmon *d, struct gs_str line, size_t n)
{
    return d->time < 0 && !d->stamped && (n == 1 || memchr(line.ptr, ':', line.len) != NULL) &&
           gs_is_instant_line(line);
}

/* Rows of dcgmi that are of no GPU: an instance of MIG, a part of a GPU that has its own row; the units, without '#'. */
static bool is_of_no_gpu(const struct dmon *d, const struct gs_str *word, size_t n)
{
    return d->dcgmi && ((n > 1 && gs_str_begins(word[0], "GPU-")) ||
                        gs_str_eq(word[0], gs_str("ID")) || gs_str_eq(word[0], gs_str("Entity")));
}

/* A row; `raw` is its whole line, `stamp` the time in front of it. */
static enum gs_status parse_row(struct gs_lines *l, struct dmon *d, size_t n, struct gs_str stamp,
                                struct gs_str raw, struct gs_err *err)
{
    enum gs_status s;
    if (is_of_no_gpu(d, l->cell, n)) {
        l->out->n_ignored++;
        return GS_OK;
    }
    if (d->dcgmi && n > 1 && gs_str_eq(l->cell[0], gs_str("GPU"))) /* "GPU 0" is one cell */
        memmove(l->cell, l->cell + 1, --n * sizeof *l->cell);
    if (!gs_lines_fits(l, n, "word", raw, &s, err))
        return s;
    if (d->time >= 0 && stamp.len == 0)
        stamp = stamp_of(l, d);
    for (size_t k = 0; k < n; k++)
        if (gs_str_eq(l->cell[k], gs_str("-")))
            l->cell[k] = GS_NO_STR;
    gs_lines_put(l, n);
    if (stamp.len > 0)
        gs_record_sink_set(l->out, gs_str("timestamp"), stamp);
    else
        gs_lines_put_time(l, "timestamp");
    return gs_lines_end(l, raw, err);
}

static enum gs_status begin_dmon(struct gs_lines *l, struct gs_err *err)
{
    (void)err;
    *(struct dmon *)l->own =
        (struct dmon){.date = -1, .time = -1, .stamp = {.arena = l->in->arena}};
    l->out->fixed = true;
    return GS_OK;
}

static enum gs_status dmon_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    struct dmon *const d = l->own;
    struct gs_str stamp = {NULL, 0}, rest;
    const struct gs_str whole = line;
    if (d->time < 0 && (!d->named || d->dcgmi || d->stamped) && line.len > 0 &&
        gs_is_digit(line.ptr[0]) && gs_line_instant(line, &stamp, &rest) && rest.len > 0) {
        d->stamped = true;
        line = rest;
    } else {
        stamp = GS_NO_STR;
    }
    const size_t n = gs_cut_between(line, " \t,#\r", l->cell, GS_LINE_CELLS);
    if (n == 0)
        return GS_OK;
    if (is_time_alone(d, line, n)) {
        gs_lines_set_time(l, gs_trimmed(line));
        return GS_OK;
    }
    size_t at = 0;
    if (gs_next_word(line, &at).ptr[0] == '#') { /* there is one: n > 0 */
        l->out->n_ignored += d->named;
        if (is_dmon_line(line))
            parse_names(l, d, n);
        return GS_OK;
    }
    if (!d->named)
        return gs_fail_at(err, l->in->name, l->in->line_number,
                          "a row before any line of '#' that names the columns");
    return parse_row(l, d, n, stamp, whole, err);
}

const struct gs_form gs_form_dmon = {
    .name = "dmon",
    .names_fields = true,
    .not_of_gpus = "pid",
    .not_of_gpus_why =
        "nvidia-smi pmon lists processes, not GPUs; for GPUs use nvidia-smi dmon -o DT",
    .has_line = is_dmon_line,
    .lines = {sizeof(struct dmon), begin_dmon, dmon_line, NULL}};
