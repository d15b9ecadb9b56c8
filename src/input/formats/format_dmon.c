/*
 * format_dmon.c - nvidia-smi dmon and dcgmi dmon: lines of '#' name the columns, blanks part them. dcgmi writes no times: people
 * put one in front of each line, or on a line of its own above the rows, which is then the column "timestamp".
 */
#include "input/formats/formats.h"

#include <string.h>

struct dmon {
    bool named, dcgmi;
    size_t n_stamp; /* words of a time in front of each line of dcgmi */
    int date, time; /* places of dmon -o DT, else -1 */
    struct gs_buf stamp;
};

enum { STAMP_WORDS_MAX = 3 };

/* The words in front of "#Entity", where they may be a time: they begin with a digit, or with a bracket before one. */
static size_t stamp_words(struct gs_str line)
{
    size_t at = 0, n = 0;
    for (struct gs_str word; n <= STAMP_WORDS_MAX && (word = gs_next_word(line, &at)).ptr != NULL;
         n++) {
        if (word.ptr[0] == '#')
            return n;
        if (!gs_is_digit(word.ptr[0]))
            break;
    }
    return 0;
}

static struct gs_str behind_stamp(struct gs_str line, size_t n_words)
{
    size_t at = 0;
    for (size_t i = 0; i < n_words; i++)
        (void)gs_next_word(line, &at);
    return gs_str_after(line, at);
}

static bool is_dmon_line(struct gs_str line)
{
    size_t at = 0;
    const size_t n_stamp = stamp_words(line);
    line = behind_stamp(line, n_stamp);
    struct gs_str word = gs_next_word(line, &at);
    if (word.ptr == NULL || word.ptr[0] != '#')
        return false;
    if (word.len == 1)
        word = gs_next_word(line, &at);
    else
        word.ptr++, word.len--;
    if (n_stamp > 0)
        return word.ptr != NULL && gs_str_eq_nocase(word, gs_str("Entity"));
    for (; word.ptr != NULL; word = gs_next_word(line, &at)) {
        word.len -= word.len > 0 && word.ptr[word.len - 1] == ','; /* --format csv */
        if (!gs_str_eq_nocase(word, gs_str("Date")) && !gs_str_eq_nocase(word, gs_str("Time")))
            break; /* "#Warming up the GPU" is a comment */
    }
    if (word.ptr != NULL && gs_str_eq(word, gs_str("gpu")))
        return gs_next_word(line, &at).ptr != NULL; /* "# GPU" is the title of a table */
    return word.ptr != NULL && gs_str_eq_nocase(word, gs_str("Entity"));
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
    return d->time < 0 && d->n_stamp == 0 && (n == 1 || memchr(line.ptr, ':', line.len) != NULL) &&
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
    struct gs_str stamp = {NULL, 0};
    const struct gs_str whole = line;
    if (is_dmon_line(line))
        d->n_stamp = stamp_words(line);
    if (d->n_stamp > 0) {
        line = behind_stamp(line, d->n_stamp);
        stamp = gs_trimmed((struct gs_str){whole.ptr, whole.len - line.len});
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
