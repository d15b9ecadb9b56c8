/*
 * format_dmon.c - nvidia-smi dmon and dcgmi dmon: lines of '#' name the columns, blanks part them. dcgmi writes no times: people
 * put one in front of each line, or on a line of its own above the rows, which is then the column "timestamp".
 */
#include "input/formats/formats.h"

#include <string.h>

enum { WORDS_MAX = 256 };

struct dmon {
    struct gs_text_in *in;
    struct gs_record_sink *out;
    uint32_t column[WORDS_MAX];
    size_t n_columns;
    bool named, dcgmi;
    size_t n_stamp; /* words of a time in front of each line of dcgmi */
    int date, time; /* places of dmon -o DT, else -1 */
    struct gs_buf stamp;
    struct gs_buf above; /* the time on the last line that was nothing else */
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
    return gs_str_eq_nocase(word, gs_str("gpu")) || gs_str_eq_nocase(word, gs_str("Entity"));
}

static bool is_dmon(struct gs_str head)
{
    return gs_head_has_line(head, is_dmon_line);
}

static size_t words_of(struct gs_str line, struct gs_str *word)
{
    static const char between[] = " \t,#\r";
    size_t n = 0;
    for (size_t from = gs_str_skip(line, 0, between), to; from < line.len && n < WORDS_MAX;
         from = gs_str_skip(line, to, between)) {
        to = gs_str_until(line, from, between);
        word[n++] = gs_str_part(line, from, to);
    }
    return n;
}

/* The line that names columns; the next one, of units, and its repetitions are passed over. */
static void parse_names(struct dmon *d, const struct gs_str *word, size_t n)
{
    d->dcgmi = n > 0 && gs_str_eq_nocase(word[0], gs_str("Entity"));
    d->n_columns = n;
    d->date = d->time = -1;
    for (size_t i = 0; i < n; i++) {
        d->column[i] = gs_record_sink_column(d->out, word[i]);
        if (gs_str_eq_nocase(word[i], gs_str("Date")))
            d->date = (int)i;
        if (gs_str_eq_nocase(word[i], gs_str("Time")))
            d->time = (int)i;
    }
}

/* dmon's YYYYMMDD and HH:MM:SS as one instant, "timestamp"; with -o T a time of day alone. */
static void put_stamp(struct dmon *d, const struct gs_str *word)
{
    const struct gs_str date = d->date < 0 ? gs_str("") : word[d->date];
    d->stamp.len = 0;
    if (date.len == 8)
        gs_buf_format(&d->stamp, "%.4s-%.2s-%.2s", date.ptr, date.ptr + 4, date.ptr + 6);
    else
        gs_buf_add(&d->stamp, date);
    gs_buf_text_if(&d->stamp, date.len > 0, " ");
    gs_buf_add(&d->stamp, word[d->time]);
    d->out->full |= d->stamp.failed;
    gs_record_sink_set(d->out, gs_str("timestamp"), gs_buf_str(&d->stamp));
}

/* A line that is a time and nothing else is kept for the rows below it; *is: it is one. */
static enum gs_status keep_time(struct dmon *d, struct gs_str line, size_t n, bool *is,
                                struct gs_err *err)
{
    const struct gs_str time = gs_trimmed(line);
    *is = d->time < 0 && d->n_stamp == 0 && (n == 1 || memchr(line.ptr, ':', line.len) != NULL) &&
          gs_is_instant_line(time);
    if (!*is)
        return GS_OK;
    gs_buf_set(&d->above, time);
    return gs_had_memory(!d->above.failed, err);
}

/* Rows of dcgmi that are of no GPU: an instance of MIG, a part of a GPU that has its own row; the units, without '#'. */
static bool is_of_no_gpu(const struct dmon *d, const struct gs_str *word, size_t n)
{
    return d->dcgmi && ((n > 1 && gs_str_begins(word[0], "GPU-")) ||
                        gs_str_eq(word[0], gs_str("ID")) || gs_str_eq(word[0], gs_str("Entity")));
}

/* A row; `raw` is its whole line, `stamp` the time in front of it. */
static enum gs_status parse_row(struct dmon *d, struct gs_str *word, size_t n, struct gs_str stamp,
                                struct gs_str raw, struct gs_err *err)
{
    if (is_of_no_gpu(d, word, n)) {
        d->out->n_ignored++;
        return GS_OK;
    }
    if (d->dcgmi && n > 1 && gs_str_eq(word[0], gs_str("GPU"))) /* "GPU 0" is one cell */
        memmove(word, word + 1, --n * sizeof *word);
    if (n < d->n_columns && !d->in->line_ended) {
        d->out->n_torn++;
        return GS_OK;
    }
    if (n != d->n_columns)
        return gs_record_sink_miscounted(d->out, d->in->line_number, "word", n, d->n_columns, raw,
                                         err);
    for (size_t k = 0; k < n; k++)
        if (!gs_str_eq(word[k], gs_str("-")))
            gs_record_sink_put(d->out, d->column[k], word[k]);
    if (stamp.len == 0 && d->time < 0)
        stamp = gs_buf_str(&d->above);
    if (stamp.len > 0)
        gs_record_sink_set(d->out, gs_str("timestamp"), stamp);
    if (d->time >= 0)
        put_stamp(d, word);
    return gs_record_sink_end_line(d->out, d->in, raw, err);
}

static enum gs_status parse_line(struct dmon *d, struct gs_str line, struct gs_err *err)
{
    struct gs_str word[WORDS_MAX];
    struct gs_str stamp = {NULL, 0};
    const struct gs_str whole = line;
    if (is_dmon_line(line))
        d->n_stamp = stamp_words(line);
    if (d->n_stamp > 0) {
        const struct gs_str rest = behind_stamp(line, d->n_stamp);
        stamp = gs_trimmed((struct gs_str){line.ptr, line.len - rest.len});
        line = rest;
    }
    const size_t n = words_of(line, word);
    bool is_time;
    if (n == 0)
        return GS_OK;
    const enum gs_status s = keep_time(d, line, n, &is_time, err);
    if (is_time)
        return s;
    size_t at = 0;
    if (gs_next_word(line, &at).ptr[0] == '#') { /* there is one: n > 0 */
        d->out->n_ignored += d->named;
        if (!is_dmon_line(line))
            return GS_OK;
        d->named = true;
        parse_names(d, word, n);
        return GS_OK;
    }
    if (!d->named)
        return gs_fail(err, GS_ERR_DATA,
                       "%s:%llu: a row before any line of '#' that names the columns", d->in->name,
                       (unsigned long long)d->in->line_number);
    return parse_row(d, word, n, stamp, whole, err);
}

static enum gs_status read_dmon(struct gs_text_in *in, struct gs_record_sink *out,
                                struct gs_err *err)
{
    struct dmon d = {.in = in,
                     .out = out,
                     .date = -1,
                     .time = -1,
                     .stamp = {.arena = in->arena},
                     .above = {.arena = in->arena}};
    struct gs_str line;
    enum gs_status s;
    out->fixed = true;
    while (gs_text_next(in, &line, &s, err))
        GS_TRY(parse_line(&d, line, err));
    return s;
}

const struct gs_form gs_form_dmon = {
    .name = "dmon",
    .names_fields = true,
    .not_of_gpus = "pid",
    .not_of_gpus_why =
        "nvidia-smi pmon lists processes, not GPUs; for GPUs use nvidia-smi dmon -o DT",
    .matches = is_dmon,
    .read = read_dmon};
