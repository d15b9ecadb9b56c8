/*
 * format_monitor.c - amd-smi monitor as people see it: names in capitals, then a row per GPU whose values have their units beside
 * them. Times stand in a column (-w) or, where somebody wrote them, on lines of their own.
 */
#include "input/formats/formats.h"

#include <string.h>

#include "input/schema/column_meaning.h"

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
    for (struct gs_str word; (word = gs_next_word(line, &at)).ptr != NULL && n < GS_LINE_CELLS;) {
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

/*
 * A row with fewer cells than names is refused: blanks part the cells, so nothing says which is
 * missing.
 */
static enum gs_status parse_row(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    const size_t n = cells_of(line, l->cell);
    enum gs_status s;
    if (n == 0 || !is_number(l->cell[0])) { /* what the tool says of itself */
        l->out->n_other++;
        return GS_OK;
    }
    if (!gs_lines_fits(l, n, "value", line, &s, err))
        return s;
    gs_lines_put(l, n);
    gs_lines_put_time(l, "TIMESTAMP"); /* a column of times was put before */
    return gs_lines_end(l, line, err);
}

static enum gs_status monitor_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    const struct gs_str text = gs_trimmed(line), instant = gs_instant_of_line(text);
    if (text.len == 0)
        return GS_OK;
    if (is_head_line(line)) {
        l->out->n_ignored += l->n_columns > 0;
        gs_lines_name(l, gs_lines_cut_words(l, line));
        return GS_OK;
    }
    if (instant.ptr == NULL && l->n_columns > 0)
        return parse_row(l, line, err);
    l->out->n_other += instant.ptr == NULL;
    if (instant.ptr != NULL)
        gs_lines_set_time(l, instant);
    return GS_OK;
}

const struct gs_form gs_form_monitor = {
    .name = "amd-smi", .has_line = is_head_line, .lines.line = monitor_line};
