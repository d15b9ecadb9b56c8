/* headless.c - detects tables without a header and infers what their columns are. */
#include "input/times/clock.h"
#include "base/num/order.h"
#include "base/os/path.h"
#include "input/detect/names_parts.h"

#include <string.h>

/* An instant as a calendar shows it, or as seconds and parts of them of this century. */
static bool is_instant(struct gs_str text)
{
    text = gs_trimmed(text);
    const enum gs_time_fault f = gs_clock_read_alone(text, GS_NO_STR, GS_UNIT_NONE, NULL);
    return text.len >= 10 && gs_time_is_dated(f);
}

/* "2024-05-01" and "12:00:05": is the one a date to the time of day that is the other? */
static bool is_date_of(struct gs_str date, struct gs_str time, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    gs_buf_add(&b, date);
    gs_buf_char(&b, ' ');
    gs_buf_add(&b, time);
    return !b.failed && memchr(date.ptr, ':', date.len) == NULL &&
           gs_clock_read_alone(gs_trimmed(time), GS_NO_STR, GS_UNIT_NONE, NULL) == GS_TIME_OF_DAY &&
           is_instant(gs_buf_str(&b));
}

/* What the unit behind a number measures; NONE where none stands there. */
static enum gs_quantity unit_of(struct gs_str cell)
{
    static const enum gs_quantity all[] = {GS_Q_POWER,       GS_Q_SHARE, GS_Q_MEMORY,
                                           GS_Q_TEMPERATURE, GS_Q_CLOCK, GS_Q_ENERGY};
    bool has_unit = false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (gs_infer_reading(cell, all[i], &has_unit) && has_unit)
            return all[i];
    return GS_Q_NONE;
}

/* What all cells of a column are, those without a value left out. */
struct cells {
    bool instants, numbers, whole, counts; /* counts: 0, 1, ..., n - 1 again and again */
    bool gpus;                             /* gpu0, gpu1                               */
    bool hundredths;                       /* two digits behind every point            */
    enum gs_quantity alone;                /* of the unit that every cell is: W        */
    bool passed;                           /* that, or one more in each row: a step    */
    enum gs_quantity unit;                 /* behind every number                      */
    int64_t least, most;                   /* of numbers                               */
    uint64_t turn;                         /* n of counts                              */
    size_t n, n_changes;                   /* cells, and those unlike the one before   */
};

/* A cell; row 0 stands where the header was looked for. */
static struct gs_str cell_of(const struct gs_preview *h, size_t row, uint32_t column)
{
    /* "0 (2)": a name twice, which the reader has numbered */
    struct gs_str cell = row == 0 ? h->column[column] : gs_preview_cell(h, row - 1, column);
    if (row == 0)
        cell.len = gs_str_find_byte(cell, '(');
    return gs_trimmed(cell);
}

bool gs_preview_is_headless(const struct gs_preview *h)
{
    bool numbers = h->n_columns > 0;
    for (uint32_t i = 0; i < h->n_columns; i++) {
        const struct gs_str cell = cell_of(h, 0, i);
        int64_t v;
        const bool number = gs_fixed_parse(cell, &v, NULL) == GS_NUMBER_OK;
        /* 757 may be a name, 1.56 is none */
        const char *const blank = memchr(cell.ptr, ' ', cell.len);
        const struct gs_str word = {cell.ptr, blank == NULL ? 0 : (size_t)(blank - cell.ptr)};
        const bool measured = /* "50%" above 12.5 is the name of a percentile */
            unit_of(cell) != GS_Q_NONE &&
            (h->n_rows == 0 || unit_of(cell_of(h, 1, i)) != GS_Q_NONE);
        if (is_instant(gs_str_strip(cell, "[]")) || is_instant(word) || measured ||
            (number && memchr(cell.ptr, '.', cell.len) != NULL) ||
            (i + 1 < h->n_columns && is_date_of(gs_str_strip(h->column[i], "["),
                                                gs_str_strip(h->column[i + 1], "]"), h->arena)))
            return true;
        numbers &= number;
    }
    return numbers;
}

/* Does a column of lengths of time never fall, and rise? Then it counts from the beginning. */
static bool is_elapsed(const struct gs_preview *h, uint32_t column)
{
    int64_t before = INT64_MIN, first = INT64_MIN, v;
    for (size_t i = 0; i <= h->n_rows; i++) {
        const struct gs_str cell = cell_of(h, i, column);
        const struct gs_str unit = cell.ptr == NULL ? cell : gs_duration_unit(cell);
        if (unit.len == 0 ||
            gs_fixed_parse(gs_trimmed((struct gs_str){cell.ptr, cell.len - unit.len}), &v, NULL) !=
                GS_NUMBER_OK ||
            v < before)
            return false;
        if (i == 0)
            first = v;
        before = v;
    }
    return before > first && h->n_rows > 1; /* of two any may be the larger */
}

/* What the cells of a column are together: n with a value, down to one in so many rows; `word` is the unit that the first is. */
static void conclude(struct cells *c, size_t n, size_t rows, struct gs_unit word)
{
    c->n = n;
    c->instants &= n > 0;
    c->numbers &= n > 0 && c->unit == GS_Q_NONE;
    c->counts &= c->turn > 1 && rows > c->turn;
    if (c->n_changes == 0 && word.num == 1 && word.den == 1)
        c->alone = word.quantity;
    c->passed = (c->n_changes == 0 && word.quantity != GS_Q_NONE) ||
                (c->whole && n > 2 && c->n_changes + 1 == n &&
                 c->most - c->least == (int64_t)(n - 1) * GS_FIXED_ONE);
}

static struct cells inspect(const struct gs_preview *h, uint32_t column)
{
    struct cells c = {.instants = true,
                      .numbers = true,
                      .whole = true,
                      .counts = true,
                      .gpus = true,
                      .hundredths = true,
                      .least = INT64_MAX,
                      .most = INT64_MIN};
    struct gs_str before = GS_NO_STR;
    size_t n = 0, rows = 0;
    for (size_t i = 0; i <= h->n_rows; i++) {
        const struct gs_str cell = cell_of(h, i, column);
        bool has_unit = false;
        int64_t v = 0;
        if (cell.ptr == NULL || gs_is_no_value(cell))
            continue;
        /* What one cell is not the column is not: words of prose are looked at once for each question. */
        c.instants = c.instants && is_instant(cell);
        c.gpus = c.gpus && gs_is_numbered_gpu(cell);
        if (n == 0)
            c.unit = unit_of(cell);
        else if (c.unit != GS_Q_NONE && unit_of(cell) != c.unit)
            c.unit = GS_Q_NONE;
        c.numbers = c.numbers && gs_infer_reading(cell, GS_Q_NONE, &has_unit) && !has_unit;
        if (!c.numbers || gs_fixed_parse(cell, &v, NULL) != GS_NUMBER_OK)
            v = 0;
        c.whole &= c.numbers && v % GS_FIXED_ONE == 0;
        c.hundredths &= gs_str_find_byte(cell, '.') + 3 == cell.len;
        c.n_changes += n > 0 && !gs_str_eq(cell, before);
        before = cell;
        c.least = gs_min(v, c.least);
        c.most = gs_max(v, c.most);
        const uint64_t k = c.whole && v >= 0 ? (uint64_t)(v / GS_FIXED_ONE) : UINT64_MAX;
        if (c.turn == 0 && k != n)
            c.turn = n;
        c.counts &= k == (c.turn == 0 ? n : n % c.turn);
        n++;
        rows = i + 1;
    }
    conclude(&c, n, rows, gs_unit_find(cell_of(h, 0, column)));
    return c;
}

/*
 * The rows of the study's own power logs: 2024/10/10 13:18:58.369, 81, 145.99, 4396, 11264. The last is the size of the
 * memory, the same in every row, and the one before it what is used of that; the first is a share. Other five columns are
 * somebody else's.
 */
static bool is_study_log(const struct gs_preview *h, const struct cells *c)
{
    enum { TIME, UTIL, POWER, USED, TOTAL, COLUMNS };
    if (h->n_columns != COLUMNS || !c[TIME].instants)
        return false;
    for (uint32_t k = UTIL; k < COLUMNS; k++)
        if (!c[k].numbers && c[k].unit == GS_Q_NONE)
            return false;
    return c[TOTAL].numbers && c[TOTAL].least == c[TOTAL].most &&
           c[UTIL].most <= 100 * GS_FIXED_ONE && c[USED].most <= c[TOTAL].most &&
           c[TOTAL].most > 100 * GS_FIXED_ONE;
}

/* The one column of a unit whose values differ, or the only one; UINT32_MAX: none, or several. */
static uint32_t only_of(const struct gs_preview *h, const struct cells *c, enum gs_quantity unit)
{
    uint32_t found = UINT32_MAX, n = 0, first = UINT32_MAX, all = 0;
    for (uint32_t i = 0; i < h->n_columns; i++) {
        if (c[i].unit != unit)
            continue;
        bool differs = false;
        for (size_t k = 1; k <= h->n_rows && !differs; k++)
            differs = !gs_str_eq(cell_of(h, k, i), cell_of(h, 0, i));
        if (all++ == 0)
            first = i;
        if (differs && n++ == 0)
            found = i;
    }
    if (all == 1)
        return first;
    return n == 1 ? found : UINT32_MAX;
}

/*
 * The one column of numbers that may be a temperature beside readings with units, as nvidia-smi prints it; asked for the
 * power alone, the one column of numbers that is there.
 */
static uint32_t only_number(const struct gs_preview *h, const struct cells *c, int64_t least,
                            int64_t most, bool whole)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < h->n_columns; i++) {
        if (!c[i].numbers || c[i].instants || c[i].counts || (whole && !c[i].whole) ||
            c[i].least < least * GS_FIXED_ONE || c[i].most > most * GS_FIXED_ONE)
            continue;
        if (found != UINT32_MAX)
            return UINT32_MAX;
        found = i;
    }
    return found;
}

/*
 * nvidia-smi without units writes its powers with two digits behind the point and all else in whole numbers: the one such
 * column that varies, as limits do not. Its instants are as nobody else writes them: 2024/05/01 12:00:00.123.
 */
static uint32_t power_of_smi(const struct gs_preview *h, const struct cells *c)
{
    uint32_t found = UINT32_MAX;
    bool stamped = !h->form->delimited; /* under lines of an instant each */
    for (uint32_t i = 0; i < h->n_columns; i++) {
        const struct gs_str cell = cell_of(h, 0, i);
        stamped |= c[i].instants && cell.len == sizeof "2024/05/01 12:00:00.123" - 1 &&
                   cell.ptr[4] == '/' && cell.ptr[7] == '/';
        if (!c[i].numbers || c[i].instants || c[i].whole)
            continue;
        if (!c[i].hundredths || (found != UINT32_MAX && c[i].least < c[i].most))
            return UINT32_MAX;
        if (c[i].least < c[i].most)
            found = i;
    }
    return stamped ? found : UINT32_MAX;
}

/* "P0" to "P15", the performance state: a text that varies and tells nobody apart. */
static bool is_state(struct gs_str cell)
{
    return cell.len > 1 && cell.len < 4 && cell.ptr[0] == 'P' && gs_is_digit(cell.ptr[1]);
}

/*
 * May a column that has no name tell GPUs or hosts apart? Small whole numbers may be an index, where none is known, unless
 * they change now and then: GPUs come in turns, or one after the other. A text that varies may be a host, a bus address
 * or a UUID. Rows of several GPUs read as one would be a wrong answer without a
 * word: half of the energy, or readings of two GPUs as one curve.
 */
static bool may_tell_apart(const struct gs_preview *h, const struct cells *c, uint32_t column,
                           bool gpu_known)
{
    enum { INDEX_MAX = 15, FEW = 3 }; /* temperatures lie above */
    const struct gs_str first = cell_of(h, 0, column);
    if (c->instants || c->unit != GS_Q_NONE)
        return false;
    if (c->numbers)
        return !gpu_known && c->whole && c->least >= 0 && c->most > c->least &&
               c->most <= INDEX_MAX * GS_FIXED_ONE &&
               (c->n_changes <= FEW || 2 * c->n_changes >= c->n);
    for (size_t k = 1; k <= h->n_rows; k++) {
        const struct gs_str cell = cell_of(h, k, column);
        if (!gs_is_no_value(cell) && !is_state(cell) && gs_duration_unit(cell).len == 0 &&
            !gs_str_eq(cell, first))
            return true;
    }
    return false;
}

/* Is every column without a name one of readings, or of what all rows share? */
static bool rest_is_harmless(const struct gs_preview *h, const struct cells *c,
                             const char *const *name)
{
    bool gpu_known = false;
    for (uint32_t i = 0; i < h->n_columns; i++)
        gpu_known |= name[i] != NULL && (name[i][0] == 'g' || name[i][0] == 'u');
    for (uint32_t i = 0; i < h->n_columns; i++)
        if (name[i] == NULL && may_tell_apart(h, &c[i], i, gpu_known))
            return false;
    return true;
}

/* Names the columns whose values show what they are; is there a time among them? */
static bool name_shown(const struct gs_preview *h, const struct cells *c, const char **name)
{
    bool time = false;
    for (uint32_t i = 0; i < h->n_columns; i++) {
        if (!time && c[i].instants) {
            name[i] = "timestamp";
        } else if (!time && is_elapsed(h, i)) {
            name[i] = "time";
        } else if (!time && i + 1 < h->n_columns &&
                   is_date_of(h->column[i], h->column[i + 1], h->arena)) {
            name[i] = "date";
            name[i + 1] = "time";
        } else if (name[i] == NULL && (c[i].counts || (c[i].gpus && c[i].n > 0))) {
            name[i] = "gpu";
        } else if (gs_str_begins(h->column[i], "GPU-")) {
            name[i] = "uuid";
        }
        time |= name[i] != NULL && (name[i][0] == 't' || name[i][0] == 'd');
    }
    return time;
}

/* Names what a unit shows: a share is most often the GPU's load, the one size in bytes what is used. */
static bool name_by_unit(const struct gs_preview *h, const struct cells *c, const char **name)
{
    const uint32_t share = only_of(h, c, GS_Q_SHARE), memory = only_of(h, c, GS_Q_MEMORY);
    if (share != UINT32_MAX && name[share] == NULL)
        name[share] = "gpu_util_pct";
    if (memory != UINT32_MAX && name[memory] == NULL)
        name[memory] = "mem_used_mib";
    return share != UINT32_MAX || memory != UINT32_MAX;
}

/*
 * The names of the columns, NULL for those that may be several things; true where there is a metric to be read. Without a
 * power the file's name has to say that its shares are a GPU's.
 */
static bool name_all(const struct gs_preview *h, const struct cells *c, const char *path,
                     bool alone, const char **name)
{
    static const char *const study[] = {"timestamp", "gpu_util_pct", "power_w", "mem_used_mib",
                                        "mem_total_mib"};
    enum { COOL = 15, HOT = 115, MOST_W = 3000 };
    uint32_t n_named = 0;
    if (is_study_log(h, c)) {
        memcpy(name, study, sizeof study);
        return true;
    }
    const bool time = name_shown(h, c, name) || !h->form->delimited; /* the line above */
    uint32_t power = only_of(h, c, GS_Q_POWER), temp = only_of(h, c, GS_Q_TEMPERATURE);
    if (power != UINT32_MAX && temp == UINT32_MAX)
        temp = only_number(h, c, COOL, HOT, true);
    if (power == UINT32_MAX)
        power = power_of_smi(h, c);
    for (uint32_t i = 0; i < h->n_columns; i++)
        n_named += name[i] != NULL;
    if (power == UINT32_MAX && alone && h->n_columns <= gs_max(n_named, 1u) + 1)
        power = only_number(h, c, 0, MOST_W, false);
    if (power != UINT32_MAX && name[power] == NULL)
        name[power] = "power_w";
    if (temp != UINT32_MAX && name[temp] == NULL)
        name[temp] = "temp_c";
    bool read = name_by_unit(h, c, name) && !alone && gs_words_gpu(gs_str(gs_path_last(path)));
    read |= power != UINT32_MAX;
    return read && (time || alone) && rest_is_harmless(h, c, name);
}

/*
 * The column of readings of a file that has no other but times, numbered GPUs, the number of the row and units by themselves,
 * as in "250 W 1700000000000000 us"; UINT32_MAX: another file. Names them.
 */
static uint32_t only_value(const struct gs_preview *h, const struct cells *c, const char **name)
{
    uint32_t value = UINT32_MAX;
    bool timed = false;
    for (uint32_t i = 0; i < h->n_columns; i++) {
        const bool reads = c[i].numbers && !c[i].instants && !c[i].passed;
        if ((c[i].instants && timed) || (reads && value != UINT32_MAX) ||
            (!c[i].instants && !reads && !c[i].gpus && !c[i].passed))
            return UINT32_MAX;
        timed |= c[i].instants;
        if (reads)
            value = i;
        else if (!c[i].passed)
            name[i] = c[i].instants ? "time" : "gpu";
    }
    return timed || value == 0 ? value : UINT32_MAX;
}

/*
 * The one column without a name and a unit that may be a power, as it changes in most rows: proposed where nothing shows it. Whole
 * numbers of thousands are of mW.
 */
static void propose_power(const struct gs_preview *h, const struct cells *c, const char **name)
{
    enum { LEAST_W = 5, MOST_W = 3000, MILLI = 1000 };
    uint32_t found = UINT32_MAX, n = 0;
    bool milli = false, time = false;
    for (uint32_t i = 0; i < h->n_columns; i++) {
        time |= c[i].instants;
        const int64_t whole = c[i].most / GS_FIXED_ONE;
        const bool small = c[i].least > 0 && whole >= LEAST_W && whole <= MOST_W && !c[i].whole,
                   large = c[i].least / GS_FIXED_ONE >= (int64_t)LEAST_W * MILLI &&
                           whole <= (int64_t)MOST_W * MILLI && c[i].whole;
        if (name[i] != NULL || !c[i].numbers || c[i].passed || 2 * c[i].n_changes < c[i].n ||
            !(small || large))
            continue;
        found = i;
        milli = large;
        n++;
    }
    if (n == 1 && time)
        name[found] = milli ? "power_mw" : "power_w";
}

/* Is a column of numbers, or of readings that are more than a size? */
static bool has_readings(const struct gs_preview *h, const struct cells *c)
{
    bool reads = false;
    for (uint32_t i = 0; i < h->n_columns; i++)
        reads |= (c[i].numbers && !c[i].instants) ||
                 (c[i].unit != GS_Q_NONE && c[i].unit != GS_Q_MEMORY);
    return reads;
}

bool gs_preview_name_columns(struct gs_preview *h, const char *path, bool alone)
{
    struct cells *const c = gs_arena_take(h->arena, h->n_columns, sizeof *c);
    const char **const name = gs_arena_take(h->arena, h->n_columns, sizeof *name);
    struct gs_buf why = {.arena = h->arena};
    struct gs_texts columns = {0};
    if (c == NULL || name == NULL)
        return false;
    for (uint32_t i = 0; i < h->n_columns; i++)
        c[i] = inspect(h, i);
    const uint32_t value = only_value(h, c, name);
    const struct gs_metric *only = value == UINT32_MAX ? NULL : gs_infer_file_metric(path);
    if (value + 1 < h->n_columns && c[value + 1].alone == GS_Q_POWER)
        only = &gs_known_metrics[GS_POWER];
    bool fits = only != NULL && (!alone || only == &gs_known_metrics[GS_POWER]);
    if (only != NULL) {
        name[value] = only->name;
    } else {
        memset(name, 0, h->n_columns * sizeof *name);
        fits = name_all(h, c, path, alone, name);
    }
    if (!fits)
        propose_power(h, c, name);
    bool unnamed = false;
    gs_buf_text(&why, "has no header; name its columns: --columns ");
    for (uint32_t i = 0; i < h->n_columns; i++) {
        struct gs_buf b = {.arena = h->arena};
        if (name[i] != NULL)
            gs_buf_text(&b, name[i]);
        else
            gs_buf_format(&b, GS_UNNAMED_COLUMN "%u", (unsigned)i + 1);
        if (b.failed || !gs_texts_add(&columns, gs_buf_str(&b), h->arena))
            return false;
        gs_buf_text_if(&why, i > 0, ",");
        gs_buf_text(&why, name[i] != NULL ? name[i] : "-");
        unnamed |= name[i] == NULL;
    }
    gs_buf_text(&why, unnamed ? " with power, gpu_util, temp, ... in place of - (or --set "
                                "events.columns=)"
                              : " if that is what they are");
    if (fits) {
        h->table.columns = columns;
        h->table.columns_inferred = true;
    } else {
        h->why = has_readings(h, c) ? gs_buf_str(&why).ptr : "prose: no column is of numbers";
    }
    return !why.failed;
}
