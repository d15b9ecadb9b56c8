/*
 * format_monitor.c - amd-smi monitor as people see it: names in capitals, then a row per GPU whose values have their units beside
 * them. Times stand in a column (-w) or, where somebody wrote them, on lines of their own.
 */
#include "input/formats/formats.h"

#include <string.h>

#include "input/schema/units.h"

enum { WORDS_MAX = 128 };

static bool is_name(struct gs_str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!((word.ptr[i] >= 'A' && word.ptr[i] <= 'Z') ||
              strchr("0123456789_%", word.ptr[i]) != NULL))
            return false;
    return word.len > 1;
}

/* "GPU  POWER  GPU_TEMP ...", perhaps behind a TIMESTAMP. */
static bool is_head_line(struct gs_str line)
{
    size_t at = 0, n = 0;
    bool gpu = false, power = false;
    for (struct gs_str word; (word = gs_next_word(line, &at)).ptr != NULL; n++) {
        if (!is_name(word))
            return false;
        gpu |= n < 2 && gs_str_eq(word, gs_str("GPU"));
        power |= gs_str_eq(word, gs_str("POWER"));
    }
    return gpu && power && n > 2;
}

static bool is_monitor(struct gs_str head)
{
    return gs_head_has_line(head, is_head_line);
}

static bool is_number(struct gs_str word)
{
    return word.len > 0 && (gs_is_digit(word.ptr[0]) || (word.len > 1 && word.ptr[0] == '-'));
}

/*
 * The cells of a row: a unit belongs to the number before it. A unit joins its number only once,
 * or the word "C" of the next column would join it as well.
 */
static size_t cells_of(struct gs_str line, struct gs_str *cell)
{
    size_t at = 0, n = 0;
    for (struct gs_str word; (word = gs_next_word(line, &at)).ptr != NULL && n < WORDS_MAX;) {
        const bool unit = gs_unit_find(word).quantity != GS_Q_NONE ||
                          GS_IS_ONE_OF(word, "Mb/s", "V", "mV", "RPM");
        if (unit && n > 0 && is_number(cell[n - 1]) &&
            memchr(cell[n - 1].ptr, ' ', cell[n - 1].len) == NULL)
            cell[n - 1].len = (size_t)(word.ptr + word.len - cell[n - 1].ptr);
        else
            cell[n++] = word;
    }
    return n;
}

struct monitor {
    struct gs_text_in *in;
    struct gs_record_sink *out;
    struct gs_buf time;
    uint32_t column[WORDS_MAX], stamp;
    size_t n_columns;
};

static void parse_names(struct monitor *m, struct gs_str line)
{
    size_t at = 0;
    struct gs_str word;
    m->out->n_ignored += m->n_columns > 0;
    m->n_columns = 0;
    while ((word = gs_next_word(line, &at)).ptr != NULL && m->n_columns < WORDS_MAX)
        m->column[m->n_columns++] = gs_record_sink_column(m->out, word);
}

/* A line of its own that is the time of what follows. */
static void parse_time(struct monitor *m, struct gs_str text)
{
    gs_buf_set(&m->time, text);
    m->stamp = gs_record_sink_column(m->out, gs_str("TIMESTAMP"));
    m->out->full |= m->time.failed;
}

/*
 * A row with fewer cells than names is refused: blanks part the cells, so nothing says which is
 * missing.
 */
static enum gs_status parse_row(struct monitor *m, struct gs_str line, struct gs_err *err)
{
    struct gs_str cell[WORDS_MAX];
    const size_t n = cells_of(line, cell);
    if (n == 0 || !is_number(cell[0])) { /* what the tool says of itself */
        m->out->n_other++;
        return GS_OK;
    }
    if (n < m->n_columns && !m->in->line_ended) {
        m->out->n_torn++;
        return GS_OK;
    }
    if (n != m->n_columns)
        return gs_record_sink_miscounted(m->out, m->in->line_number, "value", n, m->n_columns, line,
                                         err);
    for (size_t i = 0; i < n; i++)
        gs_record_sink_put(m->out, m->column[i], cell[i]);
    if (m->time.len > 0)
        gs_record_sink_put(m->out, m->stamp,
                           gs_buf_str(&m->time)); /* a column of times was put before */
    return gs_record_sink_end_line(m->out, m->in, line, err);
}

static enum gs_status read_monitor(struct gs_text_in *in, struct gs_record_sink *out,
                                   struct gs_err *err)
{
    struct monitor m = {.in = in, .out = out, .time = {.arena = in->arena}};
    struct gs_str line;
    enum gs_status s;
    while (gs_text_next(in, &line, &s, err)) {
        const struct gs_str text = gs_trimmed(line);
        if (text.len == 0)
            continue;
        if (is_head_line(line))
            parse_names(&m, line);
        else if (gs_instant_of_line(text).ptr != NULL)
            parse_time(&m, gs_instant_of_line(text));
        else if (m.n_columns == 0)
            out->n_other++;
        else
            GS_TRY(parse_row(&m, line, err));
    }
    return s;
}

const struct gs_form gs_form_monitor = {
    .name = "amd-smi", .matches = is_monitor, .read = read_monitor};
