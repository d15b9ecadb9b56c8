/* names_apply.c - detection by column names and first values, for files of no known tool. */
#include <string.h>

#include "input/import/repeated_hour.h"
#include "input/times/clock.h"
#include "base/num/order.h"
#include "base/num/whole.h"
#include "base/os/path.h"
#include "input/detect/names_parts.h"
#include "input/detect/phase.h"
#include "base/core/pattern.h"

const struct gs_map_value gs_map_epoch = {
    .kind = GS_VALUE_TEXT, .text = {"1970-01-01T00:00:00Z", sizeof "1970-01-01T00:00:00Z" - 1}};

/* Events that no column names. */
static const struct gs_map_value event_unnamed = {.kind = GS_VALUE_TEXT,
                                                  .text = {"window", sizeof "window" - 1}},
                                 event_job = {.kind = GS_VALUE_TEXT, .text = {"job", 3}};

const char gs_names_unknown[] = "no known column names";
const char gs_names_no_rows[] = "has no rows, only a header";

/* The column that is best for a meaning, that for another left out; UINT32_MAX: none. */
static uint32_t best_for(const struct inference *g, enum gs_meaning m, uint32_t not_this)
{
    uint32_t best = UINT32_MAX;
    unsigned best_rank = 0, rank;
    for (uint32_t i = 0; i < g->h->n_columns; i++)
        if (i != not_this && gs_name_fits(&g->name[i], m, &rank) && gs_infer_has_values(g->h, i) &&
            (best == UINT32_MAX || rank < best_rank)) {
            best = i;
            best_rank = rank;
        }
    return best;
}

/* The only name that is a time's behind a tag or in an object: nvitop's TAG/timestamp, StatusSNS.Time. */
static uint32_t tagged_time(const struct gs_preview *h)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < h->n_columns; i++) {
        const size_t behind = gs_str_until_back(h->column[i], h->column[i].len, "/.");
        if (behind == 0 || gs_column_meaning(gs_str_after(h->column[i], behind)) != GS_MEANS_TIME)
            continue;
        if (found != UINT32_MAX)
            return UINT32_MAX;
        found = i;
    }
    return found;
}

/* The first value of a column, where it is a number. */
static bool first_number(const struct inference *g, uint32_t column, int64_t *value)
{
    return column != UINT32_MAX &&
           gs_fixed_parse(gs_trimmed(gs_infer_first(g->h, column)), value, NULL) == GS_NUMBER_OK;
}

/*
 * "epoch" is the seconds since 1970, or a number of passes over the training data: 0, 1, 2 or 0.03; "completed" the end of
 * a run, or how many of its requests were.
 */
static bool is_count(const struct inference *g, uint32_t column, const char *name)
{
    const int64_t least = 100000000 * (int64_t)GS_FIXED_ONE; /* 1973 */
    int64_t value = 0;
    return first_number(g, column, &value) && value < least &&
           strcmp(g->name[column].whole, name) == 0;
}

/* How many readings a column has, and how many of them are less, or more, than the one before. */
struct steps {
    size_t n, falls, rises;
};

static struct steps steps_of(const struct gs_preview *h, uint32_t column)
{
    struct steps s = {0};
    int64_t before = 0, v;
    struct gs_str cell;
    for (size_t i = 0; gs_infer_next(h, column, &i, &cell);) {
        if (gs_fixed_parse(gs_trimmed(cell), &v, NULL) != GS_NUMBER_OK)
            continue;
        s.falls += s.n > 0 && v < before;
        s.rises += s.n > 0 && v > before;
        before = v;
        s.n++;
    }
    return s;
}

/* Does it fall? Then it is no counter and no clock. */
static bool falls(const struct gs_preview *h, uint32_t column)
{
    return steps_of(h, column).falls > 0;
}

/* Does it fall so often that each reading is of its own row? A counter that begins anew falls now and then. */
static bool falls_often(const struct gs_preview *h, uint32_t column)
{
    enum { OFTEN = 20 };
    const struct steps s = steps_of(h, column);
    return s.falls * OFTEN > s.n;
}

/* A "wall time" that counts the seconds since 1970, as TensorBoard's does, is no length of time. */
static bool counts_since_1970(const struct inference *g, uint32_t column)
{
    const int64_t least = 1000000000 * (int64_t)GS_FIXED_ONE; /* 2001 */
    int64_t value = 0;
    return first_number(g, column, &value) && value >= least && !falls(g->h, column);
}

/* The only column of instants with a date, whatever it is called: names of times have as many languages as people. */
static uint32_t dated_column(const struct inference *g)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t c = 0; c < g->h->n_columns; c++) {
        const struct gs_str first = gs_infer_first(g->h, c);
        size_t n = 0;
        bool all =
            first.ptr != NULL && memchr(first.ptr, ':', first.len) != NULL &&
            memchr("/-.", first.ptr[gs_min(first.len - 1, strcspn(first.ptr, "/-."))], 3) != NULL;
        for (size_t i = 0; all && i < g->h->n_rows; i++) {
            const struct gs_str cell = gs_preview_cell(g->h, i, c);
            all = cell.ptr == NULL || gs_is_no_value(cell) || (++n && gs_is_instant_line(cell));
        }
        if (!all)
            continue;
        if (found != UINT32_MAX)
            return UINT32_MAX;
        found = c;
    }
    return found;
}

/* Does what has elapsed rise again and again, as a clock does? */
static bool rises_on(const struct inference *g, uint32_t column)
{
    enum { FEWEST = 8, GPUS = 8 };
    const struct steps s = steps_of(g->h, column);
    return s.falls == 0 && s.rises >= FEWEST && s.rises * GPUS >= s.n;
}

/*
 * The only column of a unit of time, "run_hours", "seconds": how long took what has a start alone, or where no other column is
 * of a time and it rises on, the clock.
 */
static void find_length_beside(struct inference *g)
{
    const uint32_t start = g->means[GS_MEANS_START];
    uint32_t found = UINT32_MAX, n = 0;
    if (g->means[GS_MEANS_STOP] != UINT32_MAX || g->means[GS_MEANS_DURATION] != UINT32_MAX)
        return;
    for (uint32_t i = 0; i < g->h->n_columns; i++)
        if (i != start && g->name[i].unit.quantity == GS_Q_TIME && gs_infer_has_values(g->h, i)) {
            found = i;
            n++;
        }
    if (n == 1 &&
        (start != UINT32_MAX || (g->means[GS_MEANS_TIME] == UINT32_MAX && rises_on(g, found))))
        g->means[GS_MEANS_DURATION] = found;
}

static void parse_names(struct inference *g)
{
    for (uint32_t i = 0; i < g->h->n_columns; i++)
        gs_name_split(g->h->column[i], &g->name[i]);
    for (int m = GS_MEANS_TIME; m < GS_N_MEANINGS;
         m++) /* a task may be what names the event, where nothing else does */
        g->means[m] = best_for(g, (enum gs_meaning)m,
                               m == GS_MEANS_TASK ? g->means[GS_MEANS_EVENT] : UINT32_MAX);
    g->means[GS_MEANS_NOTHING] = UINT32_MAX;
    const uint32_t event = g->means[GS_MEANS_EVENT];
    if (event != UINT32_MAX && strcmp(g->name[event].whole, "phase") == 0 &&
        gs_infer_holds_states(g->h, event)) /* of a pod: Succeeded */
        g->means[GS_MEANS_EVENT] = best_for(g, GS_MEANS_EVENT, event);
    if (is_count(g, g->means[GS_MEANS_TIME], "epoch") ||
        is_count(g, g->means[GS_MEANS_TIME], "clock")) /* MHz, where it counts no seconds */
        g->means[GS_MEANS_TIME] = best_for(g, GS_MEANS_TIME, g->means[GS_MEANS_TIME]);
    if (is_count(g, g->means[GS_MEANS_STOP], "completed"))
        g->means[GS_MEANS_STOP] = best_for(g, GS_MEANS_STOP, g->means[GS_MEANS_STOP]);
    if (g->means[GS_MEANS_TIME] == UINT32_MAX)
        g->means[GS_MEANS_TIME] = tagged_time(g->h);
    find_length_beside(g);
    const bool spans =
        g->means[GS_MEANS_START] != UINT32_MAX || g->means[GS_MEANS_STOP] != UINT32_MAX;
    if (g->means[GS_MEANS_TIME] == UINT32_MAX && !spans &&
        counts_since_1970(g, g->means[GS_MEANS_DURATION])) {
        g->means[GS_MEANS_TIME] = g->means[GS_MEANS_DURATION];
        g->means[GS_MEANS_DURATION] = UINT32_MAX;
    }
    if (!spans)
        g->means[GS_MEANS_TIME] = gs_infer_clock_times(g);
    if (g->means[GS_MEANS_TIME] == UINT32_MAX && !spans)
        g->means[GS_MEANS_TIME] = dated_column(g);
    /* Flux tables say of each row between which instants was asked: its time is another. */
    if (gs_preview_find(g->h, "_time") != UINT32_MAX &&
        gs_preview_find(g->h, "_start") != UINT32_MAX)
        g->means[GS_MEANS_START] = g->means[GS_MEANS_STOP] = UINT32_MAX;
}

/* Makes a column a metric, its unit what is said (or NULL), or one that its size tells, which is noted. */
static void take_column(const struct inference *g, const struct gs_metric *m, uint32_t column,
                        const char *unit, const char *assumed, struct gs_source *s)
{
    const struct gs_str name = g->h->column[column];
    gs_infer_add_column(&s->metrics, m->name, name, assumed != NULL ? assumed : unit, g->arena);
    if (assumed != NULL)
        gs_infer_note_assumed_unit(g, name, assumed, s);
}

/*
 * Do rows with a load of 1 take the power of a GPU that works, at least twice that of rows with 0? Then 1 is all of it: the power
 * of one per cent is hardly above that of an idle GPU.
 */
static bool works_at_one(const struct inference *g, uint32_t load)
{
    static const int64_t least = 100 * (int64_t)GS_FIXED_ONE;
    const struct gs_metric *const power = &gs_known_metrics[GS_POWER];
    gs_i128 sum[2] = {0, 0};
    int64_t n[2] = {0, 0}, at, v;
    uint32_t column = 0;
    bool unused[2];
    unsigned rank;
    while (column < g->h->n_columns &&
           gs_infer_metric_of(g, column, 0, &unused[0], &unused[1]) != power &&
           gs_words_metric(g->h->column[column], &rank) != power)
        column++;
    if (column == g->h->n_columns)
        return false;
    const struct gs_unit named = g->name[column].unit,
                         unit = named.quantity == GS_Q_POWER ? named : gs_unit_find(gs_str("W"));
    for (size_t i = 0; i < g->h->n_rows; i++)
        if (gs_fixed_parse(gs_trimmed(gs_preview_cell(g->h, i, load)), &at, NULL) == GS_NUMBER_OK &&
            gs_infer_number(g, gs_preview_cell(g->h, i, column), unit, &v) == GS_NUMBER_OK) {
            sum[at > 0] += v;
            n[at > 0]++;
        }
    return n[0] > 0 && n[1] > 0 && sum[1] >= n[1] * (gs_i128)least &&
           sum[1] * n[0] >= 2 * sum[0] * n[1];
}

/*
 * The unit of a load that has none and is 1 at most: a share of 1, as GPUtil's is, where it has parts, as no percentage stays
 * so low and is not whole, or where 1 is a GPU that works. NULL: per cent, as it is named; doubts are noted.
 */
static const char *share_unit(const struct inference *g, const struct gs_metric *m, uint32_t column,
                              struct gs_source *s)
{
    const struct gs_str name = g->h->column[column];
    struct gs_str cell;
    bool parts = false, ones = false;
    if (gs_metric_quantity(m) != GS_Q_SHARE || g->name[column].unit.quantity != GS_Q_NONE)
        return NULL;
    for (size_t i = 0; gs_infer_next(g->h, column, &i, &cell);) {
        int64_t v;
        if (gs_fixed_parse(gs_trimmed(cell), &v, NULL) != GS_NUMBER_OK || v < 0 || v > GS_FIXED_ONE)
            return NULL;
        parts |= v > 0 && v < GS_FIXED_ONE;
        ones |= v == GS_FIXED_ONE;
    }
    if (parts || (ones && works_at_one(g, column))) {
        gs_infer_note(g, &s->notes,
                      "column '%s' has no unit and is 1 at most: read as shares (--set "
                      "samples.metrics.%s.unit=%% if it is per cent)",
                      GS_SHOWN(name, 64), m->name);
        return "share";
    }
    if (ones)
        gs_infer_note(g, &s->notes,
                      "column '%s' has no unit and is 0 or 1: read as per cent (--set "
                      "samples.metrics.%s.unit=share if 1 is all)",
                      GS_SHOWN(name, 64), m->name);
    return NULL;
}

/*
 * Takes a column for a metric that its name is, in the unit that its name, its cells or their size say, or keeps that none
 * does. Without values power alone is taken, so that commands can say that it is missing, and another where nothing else
 * is there.
 */
static void take_known(const struct inference *g, const struct gs_metric *m, uint32_t column,
                       bool needs_unit, bool has_unit, struct gs_source *s)
{
    const struct gs_preview *const h = g->h;
    const struct gs_str name = h->column[column];
    const bool unnamed = g->name[column].unit.quantity == GS_Q_NONE,
               filled = gs_infer_has_values(h, column);
    const char *unit = needs_unit && !has_unit ? gs_long_unit(name, &g->name[column]) : NULL;
    const bool lacks = needs_unit && unit == NULL && !has_unit && unnamed && filled;
    const char *const assumed = lacks ? gs_infer_assumed_unit(g, name, m, false, NULL) : NULL;
    if (lacks && assumed == NULL) {
        gs_infer_note_unit(g, name, m, false);
        return;
    }
    if (!filled && m != &gs_known_metrics[GS_POWER] && (s->metrics.n > 0 || h->n_rows == 0))
        return;
    const char *const share = has_unit ? NULL : share_unit(g, m, column, s);
    if (share != NULL)
        unit = share;
    take_column(g, m, column, unnamed ? unit : NULL, assumed, s);
}

/* Tools list columns that a card does not fill; of two columns of one metric the one with values counts. */
static void parse_metrics(const struct inference *g, struct gs_source *s)
{
    for (int pass = 0; pass < 2; pass++) /* columns with values first */
        for (uint32_t i = 0; i < g->h->n_columns; i++) {
            bool needs_unit, has_unit;
            const struct gs_metric *const m =
                gs_infer_metric_of(g, i, pass, &needs_unit, &has_unit);
            if (m != NULL && gs_infer_find(&s->metrics, m->name) == NULL)
                take_known(g, m, i, needs_unit, has_unit, s);
        }
}

/* The column of the only name of a metric; UINT32_MAX: it is not there. */
static uint32_t metric_column(const struct inference *g, const struct gs_source *s,
                              const char *name)
{
    const struct gs_map_field *const f = gs_infer_find(&s->metrics, name);
    return f == NULL ? UINT32_MAX : gs_preview_plain_column(g->h, &f->value);
}

/*
 * power_w is power.draw, else instant, else average, by values. Some cards fill
 * power.draw.instant only and write "[N/A]" as power.draw.
 */
static void settle_power(const struct inference *g, struct gs_source *s)
{
    struct gs_map_fields *const f = &s->metrics;
    struct gs_map_field *const own = gs_infer_find(f, "power_w");
    const bool has = gs_infer_has_values(g->h, metric_column(g, s, "power_w"));
    for (size_t k = 0; !has && k < GS_N_STAND_INS; k++) {
        const struct gs_map_field *const other = gs_infer_find(f, gs_power_stand_ins[k]);
        if (other == NULL)
            continue;
        if (own != NULL)
            own->value = other->value;
        else
            gs_infer_add(f, "power_w", other->value, g->arena);
        return;
    }
}

/*
 * Do the words of a column make it the metric? A power it is too where its cells have the unit and it names the GPU or the
 * whole (package: 1.5W), and where the file is called for power and it names the GPU: GPU+SOC. With readings, and with a
 * unit where brackets stand behind it.
 */
static bool says_metric(const struct inference *g, uint32_t column, const struct gs_metric *m,
                        unsigned *rank)
{
    enum { GPU = 0, WHOLE = 3 };
    const struct gs_name *const name = &g->name[column];
    const struct gs_str text = g->h->column[column];
    const struct gs_metric *of = gs_words_metric(text, rank);
    const enum gs_device_part part = gs_words_part(text);
    const bool open = name->unit.quantity == GS_Q_NONE;
    unsigned unused;
    bool has_unit;
    if (of == NULL && open && m == &gs_known_metrics[GS_POWER] &&
        (part == GS_PART_GPU || part == GS_PART_ALL) && gs_name_metric(name, &has_unit) == NULL &&
        gs_name_meaning(name, &unused) == GS_MEANS_NOTHING) {
        *rank = part == GS_PART_GPU ? GPU : WHOLE;
        if (gs_reading_unit(gs_infer_first(g->h, column)).quantity == GS_Q_POWER)
            of = m;
        else if (gs_words_gpu(text))
            of = gs_infer_file_metric(g->path);
    }
    return of == m && !(name->is_measured && open) &&
           gs_infer_has_readings(g->h, column, gs_metric_quantity(m), &has_unit);
}

/*
 * The column that the words of its name make the metric: the most specific; the others are named
 * in *others. UINT32_MAX: none has the words and readings, or several are alike, which a guess
 * would tell apart by chance only. Of parts that are alike (n1_watts, n2_watts) the whole counts.
 */
static uint32_t best_by_words(const struct inference *g, const struct gs_metric *m,
                              unsigned *best_rank, struct gs_buf *others)
{
    enum { PART = 2, WHOLE = 3, RANKS = 16, SHOWN = 6 };
    const struct gs_preview *const h = g->h;
    uint32_t first[RANKS], n[RANKS] = {0}, also = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < h->n_columns; i++) {
            unsigned rank;
            if (!says_metric(g, i, m, &rank))
                continue;
            if (pass == 0) {
                if (n[rank]++ == 0)
                    first[rank] = i;
            } else if ((n[*best_rank] > 1 || i != first[*best_rank]) && also++ < SHOWN) {
                gs_buf_text_if(others, also != 1, ", ");
                gs_buf_escaped(others, h->column[i], 40);
            }
        }
        for (*best_rank = 0; *best_rank < RANKS - 1 && n[*best_rank] == 0;)
            ++*best_rank;
        if (*best_rank == PART && n[PART] > 1 && n[WHOLE] == 1)
            *best_rank = WHOLE;
    }
    if (n[*best_rank] != 1)
        return UINT32_MAX;
    return first[*best_rank];
}

/* Which column was taken for power, of what rank its words are, and which others were not. */
static void note_power_column(const struct inference *g, uint32_t column, unsigned rank,
                              struct gs_str others, struct gs_source *s)
{
    static const char *const how[] = {"", ", which is a part of the GPU's",
                                      ", by its name and unit",
                                      ", which may be more than the GPU's"};
    if (column == UINT32_MAX)
        gs_infer_note(g, &s->notes, "power is one of %s: --power-column chooses", others.ptr);
    else
        gs_infer_note(g, &s->notes, "power is taken from %s%s%s%s%s",
                      GS_SHOWN(g->h->column[column], 64), how[rank % 4],
                      gs_text_if(others.len > 0, "; not from "), others.ptr,
                      gs_text_if(others.len > 0, " (--power-column)"));
}

/* Kernels count clocks in Hz or kHz: the unit that fits what no clock has in MHz; NULL: its name or none says it. */
static const char *clock_unit(const struct inference *g, const struct gs_metric *m, uint32_t column)
{
    if (gs_metric_quantity(m) != GS_Q_CLOCK || g->name[column].unit.quantity != GS_Q_NONE)
        return NULL;
    const char *const unit = gs_infer_fitting_unit(g, g->h->column[column], m, false, NULL);
    if (unit == NULL || strcmp(unit, "MHz") == 0)
        return NULL;
    return unit;
}

/* The metric by the words of columns, where these and a unit tell one. */
static void take_words(const struct inference *g, const struct gs_metric *m, struct gs_source *s)
{
    const bool is_power = m == &gs_known_metrics[GS_POWER];
    struct gs_buf others = {.arena = g->arena};
    unsigned rank = 0;
    bool lacks = is_power, has_unit = false;
    const uint32_t best = best_by_words(g, m, &rank, &others);
    if (best != UINT32_MAX) {
        (void)gs_infer_has_readings(g->h, best, gs_metric_quantity(m), &has_unit);
        lacks &= !has_unit && g->name[best].unit.quantity == GS_Q_NONE;
        const char *assumed = has_unit ? NULL : clock_unit(g, m, best);
        if (lacks)
            assumed = gs_infer_assumed_unit(g, g->h->column[best], m, false, NULL);
        if (lacks && assumed == NULL) {
            gs_infer_note_unit(g, g->h->column[best], m, false);
            return;
        }
        take_column(g, m, best, has_unit ? NULL : share_unit(g, m, best, s), assumed, s);
    }
    if (is_power && (others.len > 0 || (best != UINT32_MAX && rank > 0)))
        note_power_column(g, best, rank, gs_buf_str(&others), s);
}

/*
 * Metrics that no known name is: by words and units. Words are weaker than known names, so they
 * come last, and a note tells which column was taken for power.
 */
static void parse_words(const struct inference *g, struct gs_source *s)
{
    bool asks = false; /* a power by its name waits for its unit */
    for (size_t i = 0; i < g->missing_units->n; i++)
        asks |= gs_is_measure(g->missing_units->item[i].metric);
    for (const char *const *name = gs_infer_by_words; *name != NULL; name++) {
        const bool waits = name == gs_infer_by_words ? asks : s->metrics.n == 0;
        if (!waits && gs_infer_find(&s->metrics, *name) == NULL)
            take_words(g, gs_metric_find(gs_str(*name)), s);
    }
}

/*
 * A column that is called like a GPU's number need not be one: one that counts the rows, evenly in time, never comes to
 * the same GPU again, and no host has GPUs with numbers beyond 255.
 */
static bool holds_indices(const struct inference *g, uint32_t column)
{
    enum { MOST = 255, ROWS = 3, EVEN_MS = 250 };
    const struct gs_preview *const h = g->h;
    const uint32_t time = g->means[GS_MEANS_TIME];
    const char *const name = g->name[column].whole;
    int64_t first_t = GS_MISSING, last_t = GS_MISSING, t;
    uint64_t first = 0, v, largest = 0;
    bool counts = true;
    const struct gs_str cell = gs_infer_first(h, column);
    const bool reads = cell.len > 0 && gs_is_digit(cell.ptr[0]) && /* "GPU: 95%", not "c" */
                       gs_reading_unit(cell).quantity != GS_Q_NONE;
    if (reads || gs_infer_is_load(g, column))
        return false;
    if (strcmp(name, "index") != 0 && strcmp(name, "idx") != 0 && strcmp(name, "gpu") != 0)
        return true;
    for (size_t i = 0; i < h->n_rows; i++) {
        const struct gs_str number = gs_preview_cell(h, i, column);
        if (number.ptr == NULL)
            continue;
        if (gs_count_parse(gs_trimmed(number), UINT64_MAX, &v) != GS_NUMBER_OK)
            return true;
        if (i == 0)
            first = v;
        counts &= v == first + i;
        largest = gs_max(v, largest);
        struct gs_clock clock = {.origin_ns = 0, .last_of_day_ns = -1};
        const struct gs_str at = gs_preview_cell(h, i, time);
        if (at.ptr != NULL &&
            gs_clock_read(&clock, at, GS_NO_STR, GS_UNIT_NONE, &t) == GS_TIME_OK) {
            if (first_t == GS_MISSING)
                first_t = t;
            last_t = t;
        }
    }
    if (largest > MOST)
        return false;
    return !(counts && h->n_rows >= ROWS && first_t != GS_MISSING &&
             (last_t - first_t) / (int64_t)(h->n_rows - 1) >= EVEN_MS * (GS_NS_PER_S / 1000));
}

static bool numbers_gpus(const struct inference *g, uint32_t column)
{
    bool any = false;
    for (size_t i = 0; column != UINT32_MAX && i < g->h->n_rows; i++) {
        const struct gs_str cell = gs_preview_cell(g->h, i, column);
        if (cell.ptr != NULL && !gs_is_numbered_gpu(cell))
            return false;
        any |= cell.ptr != NULL;
    }
    return any;
}

/* Columns of events that name several hosts or GPUs: nodes, exec_host, gpu_ids, CUDA_VISIBLE_DEVICES. */
static void parse_lists(const struct inference *g, struct gs_source *s)
{
    if (s->host.kind == GS_VALUE_NONE) {
        gs_infer_take(g, &s->host, gs_infer_list_of(g, true));
        s->host.many = s->host.kind != GS_VALUE_NONE;
    }
    const struct gs_str first = gs_infer_first(g->h, gs_preview_plain_column(g->h, &s->host));
    if (gs_str_holds(first, "://"))
        s->host.like = gs_str("*://{}:*"); /* tcp://n1:40000 */
    else if (gs_str_holds(first, "/"))
        s->host.like = gs_str("{}/*"); /* PBS: n1/0*8 */
    if (s->gpu.kind == GS_VALUE_NONE) {
        gs_infer_take(g, &s->gpu, gs_infer_list_of(g, false));
        s->gpu.many = s->gpu.kind != GS_VALUE_NONE; /* also where the first rows name one each */
    }
}

/* Is a column "gpu" of jobs how many each has? An index is 0 at times. Else the samples' GPU would be another, which is said. */
static bool counts_gpus(const struct inference *g, uint32_t column, struct gs_source *s)
{
    enum { ROWS = 3 };
    uint64_t v, most = 0;
    size_t n = 0;
    struct gs_str cell;
    if (strcmp(g->name[column].whole, "gpu") != 0)
        return false;
    for (size_t i = 0; gs_infer_next(g->h, column, &i, &cell); n++) {
        if (gs_count_parse(gs_trimmed(cell), UINT32_MAX, &v) != GS_NUMBER_OK || v == 0)
            return false;
        most = gs_max(v, most);
    }
    if (n < ROWS || most < 2)
        return false;
    gs_infer_note(g, &s->notes,
                  "column '%s' is never 0: read as the number of GPUs (--set events.gpu=%s if it "
                  "names one)",
                  GS_SHOWN(g->h->column[column], 64), GS_SHOWN(g->h->column[column], 64));
    return true;
}

/* HOST:PORT */
static bool has_port(struct gs_str host)
{
    const size_t at = gs_str_find_byte(host, ':');
    return at > 0 && at + 1 < host.len && gs_str_skip(host, at + 1, GS_ALL_DIGITS) == host.len;
}

/* The column whose name, letters alone, is one of those words, the first of them first; UINT32_MAX: none. */
static uint32_t column_called(const struct inference *g, const char *words)
{
    for (struct gs_str rest = gs_str(words); rest.len > 0;) {
        const struct gs_str word = gs_str_take(&rest, ' ');
        for (uint32_t i = 0; i < g->h->n_columns; i++)
            if (gs_str_eq(gs_str(g->name[i].whole), word))
                return i;
    }
    return UINT32_MAX;
}

/* What a list of jobs with users calls id is the job. */
static void take_id(const struct inference *g, struct gs_source *s)
{
    if (s->role == GS_ROLE_EVENTS && s->job.kind == GS_VALUE_NONE &&
        column_called(g, "user username owner submitter") != UINT32_MAX)
        gs_infer_take(g, &s->job, column_called(g, "id"));
}

/*
 * The pod that has a GPU is its job, where it is not that of the exporter. To be asked once it is known that pods do not tell
 * GPUs apart that nothing else names.
 */
static void take_pod(const struct inference *g, struct gs_source *s)
{
    const uint32_t column = column_called(g, "exportedpod pod podname");
    if (column != UINT32_MAX && s->job.kind == GS_VALUE_NONE &&
        !gs_source_reads(s, g->h->column[column]) &&
        !gs_str_holds(gs_infer_first(g->h, column), "exporter"))
        gs_infer_take(g, &s->job, column);
}

/*
 * The hosts, jobs and GPUs of rows. The port of an exporter, HOST:PORT, is no part of the host's name; the
 * `job` of a series is Prometheus's own.
 */
static void parse_keys(const struct inference *g, struct gs_source *s)
{
    static struct gs_map_name here = {{":", 1}, {"", 0}};
    const enum gs_meaning gpus[] = {GS_MEANS_UUID, GS_MEANS_SERIAL, GS_MEANS_INDEX};
    const uint32_t host = g->means[GS_MEANS_HOST], job = g->means[GS_MEANS_JOB];
    gs_infer_take(g, &s->host, host);
    if (host != UINT32_MAX && has_port(gs_infer_first(g->h, host)))
        s->host.like = gs_str("{}:*");
    if (host != UINT32_MAX && gs_str_eq(gs_infer_first(g->h, host), gs_str(":"))) {
        s->host.names = &here; /* GNU parallel's word for the machine that it runs on */
        s->host.n_names = 1;
    }
    if (g->h->form->series == NULL || job == UINT32_MAX || strcmp(g->name[job].whole, "job") != 0)
        gs_infer_take(g, &s->job, job);
    take_id(g, s);
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus && s->gpu.kind == GS_VALUE_NONE; i++)
        if (g->means[gpus[i]] != UINT32_MAX && holds_indices(g, g->means[gpus[i]]))
            gs_infer_take(g, &s->gpu, g->means[gpus[i]]);
    if (s->gpu.kind == GS_VALUE_NONE && numbers_gpus(g, g->means[GS_MEANS_CARD]))
        gs_infer_take(g, &s->gpu, g->means[GS_MEANS_CARD]);
    const uint32_t gpu = gs_preview_plain_column(g->h, &s->gpu);
    if (gpu != UINT32_MAX && gs_str_begins(gs_infer_first(g->h, gpu), "cuda:"))
        s->gpu.like = gs_str("cuda:{}");
}

/* Where nothing else is a time, seconds since the beginning are: a clock of their own. */
static struct gs_str time_column(const struct inference *g)
{
    const uint32_t elapsed = g->means[GS_MEANS_DURATION];
    uint32_t time = g->means[GS_MEANS_TIME];
    if (time == UINT32_MAX && elapsed != UINT32_MAX &&
        (rises_on(g, elapsed) ||
         (gs_str_begins(gs_str(g->name[elapsed].stem), "elapsed") && !falls(g->h, elapsed))))
        time = elapsed;
    return time == UINT32_MAX ? GS_NO_STR : g->h->column[time];
}

bool gs_infer_row_measures(const struct gs_preview *h, size_t row,
                           const struct gs_map_fields *metrics)
{
    for (size_t i = 0; i < metrics->n; i++)
        for (size_t k = 0; k < metrics->item[i].value.column.n; k++) {
            const uint32_t c = gs_preview_find(h, metrics->item[i].value.column.item[k].ptr);
            if (c != UINT32_MAX && gs_preview_cell(h, row, c).ptr != NULL)
                return true;
        }
    return false;
}

/* Lines of InfluxDB tell of processors and disks too: the measurements that hold the metrics, where others do not. */
static void choose_measurements(const struct inference *g, struct gs_source *s)
{
    const struct gs_preview *const h = g->h;
    const uint32_t column = gs_preview_find(h, "measurement");
    struct gs_texts hold = {0};
    bool others = false;
    for (size_t i = 0; column != UINT32_MAX && i < h->n_rows; i++) {
        const struct gs_str name = gs_preview_cell(h, i, column);
        if (name.ptr == NULL || gs_texts_contain(&hold, name) ||
            !gs_infer_row_measures(h, i, &s->metrics))
            continue;
        if (strpbrk(name.ptr, "*{}\\") != NULL) /* no pattern */
            return;
        (void)gs_texts_add(&hold, name, g->arena);
    }
    for (size_t i = 0; hold.n > 0 && i < h->n_rows; i++)
        others |= !gs_texts_contain(&hold, gs_preview_cell(h, i, column));
    if (others)
        gs_infer_keep_rows(g, gs_str("measurement"), hold, s);
}

/* Readings that number no GPU are of the one that is there. */
static void name_only_gpu(struct gs_source *s)
{
    bool numbered = s->gpu.kind != GS_VALUE_NONE;
    for (size_t i = 0; i < s->metrics.n; i++)
        numbered |= s->metrics.item[i].value.kind == GS_VALUE_COLUMNS;
    if (!numbered)
        s->gpu = (struct gs_map_value){.kind = GS_VALUE_TEXT, .text = {"0", 1}};
}

/* The times, in the column that the form says, where it says one. */
static void apply_time(const struct inference *g, struct gs_source *s)
{
    const struct gs_form *const form = g->h->form;
    const char *time = form->time[0];
    if (time != NULL && form->time[1] != NULL && gs_preview_find(g->h, time) == UINT32_MAX)
        time = form->time[1];
    const struct gs_str column = time != NULL ? gs_str(time) : time_column(g);
    if (form->time_absent != NULL && gs_preview_find(g->h, time) == UINT32_MAX)
        *g->why = form->time_absent;
    else if (column.ptr != NULL)
        gs_infer_time(g, s, column, &s->time);
    if (form->time_unit != NULL)
        s->time.unit = gs_str(form->time_unit);
}

static uint32_t value_column(const struct inference *g)
{
    return column_called(g, "value reading val values state");
}

/*
 * Readings called "value" and nothing else are what their file is called: exports of one series. NULL: there are none, else
 * the metric, with the column and whether its cells have units.
 */
static const struct gs_metric *metric_of_file(const struct inference *g, uint32_t *column,
                                              bool *has_unit)
{
    const struct gs_metric *const m = gs_infer_file_metric(g->path);
    unsigned rank;
    *column = value_column(g);
    *has_unit = false;
    if (m == NULL || *column == UINT32_MAX || !g->h->form->delimited ||
        !gs_infer_has_readings(g->h, *column, gs_metric_quantity(m), has_unit))
        return NULL;
    for (uint32_t i = 0; i < g->h->n_columns; i++)
        if (i != *column && gs_name_meaning(&g->name[i], &rank) == GS_MEANS_NOTHING)
            return NULL;
    return m;
}

static void apply_long(const struct inference *g, struct gs_source *s)
{
    static const char *const names[] = {"metric",      "metricname", "field",  "counter",  "sensor",
                                        "measurement", "name",       "series", "entityid", "item"};
    const uint32_t value = value_column(g);
    const struct gs_metric *m;
    uint32_t column;
    bool has_unit;
    for (size_t i = 0; value != UINT32_MAX && i < sizeof names / sizeof *names; i++) {
        const uint32_t name = column_called(g, names[i]);
        if (s->metrics.n == 0 && name != UINT32_MAX)
            gs_infer_long(g, g->h->column[name].ptr, g->h->column[value].ptr, s);
    }
    if (s->metrics.n == 0)
        gs_infer_series_rows(g, s);
    if (s->metrics.n == 0 && (m = metric_of_file(g, &column, &has_unit)) != NULL)
        take_known(g, m, column, gs_is_measure(m), has_unit, s);
}

static void apply_samples(const struct inference *g, struct gs_source *s)
{
    const struct gs_form *const form = g->h->form;
    apply_time(g, s);
    if (form->series != NULL) {
        gs_infer_long(g, form->series, "value", s);
        parse_keys(g, s);
        return;
    }
    gs_infer_series(g, &s->metrics);
    if (s->metrics.n == 0)
        gs_infer_wide(g, s);
    if (s->metrics.n == 0) {
        parse_metrics(g, s);
        settle_power(g, s);
        parse_words(g, s);
    }
    parse_keys(g, s);
    if (form->is_of_one_gpu)
        name_only_gpu(s);
    if (form->has_measurements)
        choose_measurements(g, s);
    apply_long(g, s);
}

/* The cells of a column that name a GPU, and those that name another part: beside GPUs, a whole node too. */
static void list_parts(const struct inference *g, uint32_t column, struct gs_texts *gpus,
                       struct gs_texts *others)
{
    enum { MOST = 64 };
    struct gs_texts list[GS_N_PARTS] = {0};
    for (size_t i = 0; i < g->h->n_rows; i++) {
        const struct gs_str cell = gs_preview_cell(g->h, i, column);
        const enum gs_device_part part = cell.ptr == NULL ? GS_PART_UNKNOWN : gs_words_part(cell);
        if (!gs_texts_contain(&list[part], cell) && list[part].n < MOST)
            (void)gs_texts_add(&list[part], cell, g->arena);
    }
    *gpus = list[GS_PART_GPU];
    *others = list[GS_PART_OTHER];
    for (size_t i = 0; gpus->n > 0 && i < list[GS_PART_ALL].n; i++)
        (void)gs_texts_add(others, list[GS_PART_ALL].item[i], g->arena);
}

/* GPUs that differ in their number alone, as one pattern: others may come later. ptr == NULL: they differ otherwise. */
static struct gs_str numbered_pattern(const struct inference *g, const struct gs_texts *gpus)
{
    struct gs_buf b = {.arena = g->arena};
    struct gs_str first = GS_NO_STR;
    for (size_t i = 0; i < gpus->n; i++) {
        struct gs_str word = gpus->item[i];
        word.len = gs_str_skip_back(word, word.len, GS_ALL_DIGITS);
        if (i == 0)
            first = word;
        if (!gs_is_numbered_gpu(gpus->item[i]) || !gs_str_eq(word, first))
            return GS_NO_STR;
    }
    gs_pattern_put(&b, first);
    gs_buf_text(&b, "*");
    return first.ptr == NULL ? first : gs_buf_str(&b);
}

/* Which sensors the rows of a column are of, as what has to be said. */
static const char *list_sensors(const struct inference *g, struct gs_str column,
                                const struct gs_texts *gpus, const struct gs_texts *others)
{
    struct gs_buf b = {.arena = g->arena};
    gs_buf_text(&b, "its rows are of several sensors (");
    for (size_t i = 0; i < gpus->n + others->n && i < 6; i++) {
        gs_buf_text_if(&b, i > 0, ", ");
        gs_buf_escaped(&b, i < gpus->n ? gpus->item[i] : others->item[i - gpus->n], 40);
    }
    gs_buf_format(&b, "); choose with --set 'samples.where.%s=%s'", GS_SHOWN(column, 64),
                  GS_SHOWN(gpus->n > 0 ? gpus->item[0] : others->item[0], 44));
    return gs_buf_whole(&b);
}

/*
 * One column of readings, and one of words that says of what: rows of a processor are none of a GPU. Those that name a
 * GPU count, of several where these are numbered; of other sensors of GPUs, or of none, `ambiguity` tells.
 */
static void choose_devices(const struct inference *g, struct gs_source *s)
{
    for (uint32_t c = 0; c < g->h->n_columns; c++) {
        const struct gs_str column = g->h->column[c];
        struct gs_texts gpus = {0}, others = {0};
        bool used = false;
        if (gs_str_begins(gs_trimmed(column), "(") || gs_trimmed(column).len == 0 ||
            gs_infer_is_of_work(g, c))
            continue; /* without a name: a summary beside the table */
        for (int m = GS_MEANS_TIME; m < GS_N_MEANINGS; m++)
            used |= g->means[m] == c && m != GS_MEANS_CARD && m != GS_MEANS_EVENT &&
                    m != GS_MEANS_PHASE && m != GS_MEANS_INDEX;
        if (!used && gs_infer_comes_again(g->h, c))
            list_parts(g, c, &gpus, &others);
        if (others.n == 0 || strpbrk(gpus.n > 0 ? gpus.item[0].ptr : "", "*{}\\") != NULL)
            continue;
        const struct gs_str numbered = numbered_pattern(g, &gpus);
        if (gpus.n != 1 && numbered.ptr == NULL) {
            s->ambiguity = list_sensors(g, column, &gpus, &others);
            return;
        }
        if (numbered.ptr != NULL) {
            gpus = (struct gs_texts){0};
            (void)gs_texts_add(&gpus, numbered, g->arena);
            gs_infer_take(g, &s->gpu, c);
        }
        gs_infer_note(g, &s->notes, "only rows of %s are read; others are of %s",
                      GS_SHOWN(gpus.item[0], 64), GS_SHOWN(others.item[0], 64));
        gs_infer_keep_rows(g, column, gpus, s);
        return;
    }
}

/* Readings that nothing takes, powers first: one that is overlooked may be the one that matters. */
static void list_unread(const struct inference *g, struct gs_source *s)
{
    const struct gs_preview *const h = g->h;
    for (uint32_t k = 0; k < 2 * h->n_columns; k++) {
        const uint32_t i = k % h->n_columns;
        const struct gs_str column = h->column[i];
        const bool first = g->name[i].unit.quantity == GS_Q_POWER;
        bool has_unit;
        unsigned rank;
        if (first == (k < h->n_columns) && column.len > 0 && !gs_source_reads(s, column) &&
            !gs_str_begins(column, GS_UNNAMED_COLUMN) &&
            gs_name_meaning(&g->name[i], &rank) == GS_MEANS_NOTHING &&
            gs_infer_has_readings(h, i, g->name[i].unit.quantity, &has_unit))
            (void)gs_texts_add(&s->unread, column, g->arena);
    }
}

/* A row per process: its shares and bytes are parts of a GPU's. What only a GPU has, power or heat, is the GPU's all the same. */
static bool has_of_processes(const struct inference *g, const struct gs_source *s)
{
    bool pid = column_called(g, "pid processid") != UINT32_MAX;
    for (size_t i = 0; pid && i < s->metrics.n; i++) {
        const struct gs_metric *const m = gs_metric_find(s->metrics.item[i].name);
        const enum gs_quantity q = m == NULL ? GS_Q_NONE : gs_metric_quantity(m);
        pid = q != GS_Q_POWER && q != GS_Q_ENERGY && q != GS_Q_TEMPERATURE;
    }
    return pid;
}

/* Rows with a time are of runs where they have a mean power and how long each took, or where there is one that says so. */
static bool is_timed_run(const struct inference *g, bool has_power, bool summary)
{
    const uint32_t took = g->means[GS_MEANS_DURATION];
    unsigned rank;
    for (uint32_t i = 0; has_power && i < g->h->n_columns; i++)
        summary |= gs_words_summary(g->h->column[i]) &&
                   gs_words_metric(g->h->column[i], &rank) == &gs_known_metrics[GS_POWER];
    return took != UINT32_MAX && ((summary && falls(g->h, took)) || g->h->n_rows == 1);
}

/* Are all metrics of a source of memory? Then it may list cards and what they have. */
static bool is_of_sizes(const struct gs_source *s)
{
    bool sizes = true;
    for (size_t i = 0; i < s->metrics.n; i++)
        sizes &= gs_metric_quantity(gs_metric_find(s->metrics.item[i].name)) == GS_Q_MEMORY;
    return sizes;
}

/*
 * Rows without a time are of runs, benchmarks and what they took, where they say how long each took, where an energy without
 * a power is no counter, where one row has a mean power, or where words differ beside such a power, an energy that is no
 * counter or sizes alone.
 */
static bool is_of_runs(const struct inference *g, const struct gs_source *s)
{
    const uint32_t energy = metric_column(g, s, "energy_j"), power = metric_column(g, s, "power_w");
    const bool summary = power != UINT32_MAX && gs_words_summary(g->h->column[power]),
               totals = energy != UINT32_MAX && falls(g->h, energy);
    bool words = false;
    unsigned rank;
    /* A tool's table of one row may be of its own averages, power.draw.average. */
    const bool one = summary && g->h->n_rows == 1;
    if (s->time.kind != GS_VALUE_NONE)
        return (one && !g->h->form->delimited) ||
               is_timed_run(g, power != UINT32_MAX, summary || is_of_sizes(s));
    if (g->means[GS_MEANS_DURATION] != UINT32_MAX || one ||
        (totals && gs_infer_find(&s->metrics, "power_w") == NULL))
        return true;
    for (uint32_t i = 0; (summary || totals || is_of_sizes(s)) && i < g->h->n_columns; i++)
        words |= gs_name_meaning(&g->name[i], &rank) == GS_MEANS_NOTHING &&
                 !gs_source_reads(s, g->h->column[i]) && gs_infer_contains_words(g->h, i) &&
                 gs_infer_differs(g->h, i);
    return words;
}

/* Events of a column of numbers are of what it counts: epoch, request_id. */
static void name_by_count(const struct inference *g, uint32_t column, struct gs_source *s)
{
    struct gs_str name = gs_str(g->name[column].whole);
    if (name.len > 2 && memcmp(name.ptr + name.len - 2, "id", 2) == 0)
        name.len -= 2;
    s->event = (struct gs_map_value){
        .kind = GS_VALUE_TEXT, .text = {gs_arena_copy(g->arena, name.ptr, name.len), name.len}};
    s->task = (struct gs_map_value){.kind = GS_VALUE_NONE}; /* not the rank beside a step */
    gs_infer_take(g, &s->task, column);
}

/* Does a number that a loop counts come again in many rows, as a batch of 64 does? Then it is a size that they share. */
static bool is_shared(const struct inference *g, uint32_t task)
{
    return task != UINT32_MAX && gs_infer_comes_again(g->h, task) && gs_infer_is_count(g, task);
}

/* Events that no column names are jobs where they have numbers of jobs, else windows. */
static void name_unnamed(const struct inference *g, struct gs_source *s)
{
    if (s->event.kind != GS_VALUE_NONE)
        return;
    s->unnamed = g->means[GS_MEANS_JOB] == UINT32_MAX;
    s->event = s->unnamed ? event_unnamed : event_job;
}

/* What the events of spans are called: the name in their row, what their rows count, or "window". */
static void name_spans(const struct inference *g, struct gs_source *s)
{
    const uint32_t event = g->means[GS_MEANS_EVENT], task = g->means[GS_MEANS_TASK];
    const bool counts = event != UINT32_MAX && gs_infer_is_count(g, event);
    const uint32_t words =
        counts || s->event.kind == GS_VALUE_NONE ? gs_infer_words(g, counts) : UINT32_MAX;
    if (words != UINT32_MAX) {
        s->event = (struct gs_map_value){.kind = GS_VALUE_NONE}; /* not the number beside a phase */
        gs_infer_take(g, &s->event, words);
        if (is_shared(g, task))
            s->task = (struct gs_map_value){.kind = GS_VALUE_NONE};
    } else if (counts)
        name_by_count(g, event, s);
    else if (s->event.kind == GS_VALUE_NONE && task != UINT32_MAX &&
             gs_infer_comes_again(g->h, task) &&
             gs_infer_contains_words(g->h, task)) { /* task_id: extract, train, extract, train */
        s->event = s->task;
        s->task = (struct gs_map_value){.kind = GS_VALUE_NONE};
    } else if (s->event.kind == GS_VALUE_NONE && task != UINT32_MAX) {
        name_by_count(g, task, s);
    }
    name_unnamed(g, s);
}

/* CUDA_VISIBLE_DEVICES=2 python infer.py: commands say which GPUs they use. */
static void take_visible_gpus(const struct inference *g, struct gs_source *s)
{
    static const char like[] = "*_VISIBLE_DEVICES={} *";
    const uint32_t column = gs_preview_plain_column(g->h, &s->event);
    struct gs_str cell;
    size_t n = 0;
    for (size_t i = 0; column != UINT32_MAX && gs_infer_next(g->h, column, &i, &cell); n++) {
        struct gs_kept kept;
        if (!gs_pattern_match(gs_str(like), cell, &kept) ||
            gs_str_skip(kept.part, 0, GS_ALL_DIGITS ",") < kept.part.len)
            return;
    }
    if (n == 0 || s->gpu.kind != GS_VALUE_NONE)
        return;
    gs_infer_take(g, &s->gpu, column);
    s->gpu.like = gs_str(like);
}

static void apply_spans(const struct inference *g, struct gs_source *s)
{
    const struct {
        enum gs_meaning means;
        struct gs_map_value *value;
    } values[] = {{GS_MEANS_START, &s->start},
                  {GS_MEANS_STOP, &s->stop},
                  {GS_MEANS_DURATION, &s->duration},
                  {GS_MEANS_EVENT, &s->event},
                  {GS_MEANS_TASK, &s->task}};
    const bool both =
        g->means[GS_MEANS_START] != UINT32_MAX && g->means[GS_MEANS_STOP] != UINT32_MAX;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const uint32_t column = g->means[values[i].means];
        if (column == UINT32_MAX || (both && values[i].means == GS_MEANS_DURATION))
            continue;
        if (values[i].means == GS_MEANS_START || values[i].means == GS_MEANS_STOP)
            gs_infer_time(g, s, g->h->column[column], values[i].value);
        else
            gs_infer_take(g, values[i].value, column);
    }
    if (!both)
        gs_infer_length_unit(
            g, g->means[GS_MEANS_DURATION],
            g->means[g->means[GS_MEANS_START] != UINT32_MAX ? GS_MEANS_START : GS_MEANS_STOP], s);
    name_spans(g, s);
    const uint32_t step = gs_preview_plain_column(g->h, &s->task),
                   length = gs_preview_plain_column(g->h, &s->duration);
    if (step != UINT32_MAX && length != UINT32_MAX && gs_infer_is_count(g, step))
        gs_infer_step_unit(
            g, s, step, length,
            g->means[g->means[GS_MEANS_START] != UINT32_MAX ? GS_MEANS_START : GS_MEANS_STOP]);
    parse_keys(g, s);
    const uint32_t gpu = gs_preview_plain_column(g->h, &s->gpu);
    if (gpu != UINT32_MAX && counts_gpus(g, gpu, s))
        s->gpu = (struct gs_map_value){.kind = GS_VALUE_NONE};
    take_visible_gpus(g, s);
    parse_lists(g, s);
}

static void apply_marks(const struct inference *g, bool named, struct gs_source *s)
{
    const uint32_t time = g->means[GS_MEANS_TIME], task = g->means[GS_MEANS_TASK];
    if (time == UINT32_MAX)
        return;
    gs_phase_find(g->h, time, s, g->arena);
    if (s->phase.kind == GS_PHASE_NONE && named && g->h->n_columns == 1 && g->h->form->delimited) {
        s->phase.kind = GS_PHASE_TURNS;
        s->event = event_unnamed;
    }
    if (s->phase.kind == GS_PHASE_NONE)
        return;
    name_unnamed(g, s);
    struct gs_map_value size = {.kind = GS_VALUE_NONE};
    if (task != UINT32_MAX && (!g->h->form->delimited || gs_infer_is_filled(g->h, task, 1)) &&
        !(s->event.column.n > 0 && gs_str_eq(g->h->column[task], s->event.column.item[0])))
        gs_infer_take(g, gs_infer_numbers_starts(g, task, s) ? &s->task : &size, task);
    if (g->h->form->delimited && size.kind != GS_VALUE_NONE)
        gs_infer_add(&s->attributes, g->name[task].whole, size, g->arena);
    gs_infer_time(g, s, g->h->column[time], &s->time);
    parse_keys(g, s);
    if (s->job.kind != GS_VALUE_NONE)
        parse_lists(g, s);
    /* of a table without jobs only the columns that are named: others may be anything */
    if (!g->h->form->delimited || s->job.kind != GS_VALUE_NONE)
        gs_infer_attributes(g, s);
}

/* taskId, jobId and columns of numbers beside: a table of tasks. */
static void apply_tasks(const struct inference *g, struct gs_source *s)
{
    static const char *const attributes[] = {"x", "y", "level"};
    if (g->means[GS_MEANS_TASK] == UINT32_MAX || g->means[GS_MEANS_TIME] != UINT32_MAX)
        return;
    for (size_t i = 0; i < 3; i++)
        if (gs_preview_find(g->h, attributes[i]) == UINT32_MAX)
            return;
    for (size_t i = 0; i < 3; i++)
        gs_infer_add_column(&s->attributes, attributes[i], gs_str(attributes[i]), NULL, g->arena);
    gs_infer_take(g, &s->task, g->means[GS_MEANS_TASK]);
    gs_infer_take(g, &s->job, g->means[GS_MEANS_JOB]);
}

/* What was looked for and, of a file that was asked for, what there is; NULL without memory. */
static const char *why_nothing(const struct gs_preview *h, const struct gs_candidate *c)
{
    enum { SHOWN = 12 };
    struct gs_buf b = {.arena = h->arena};
    if (c->roles == 0)
        return "other files were named for its part";
    if (h->n_columns == 0 && h->form->skips_lists)
        return "holds lists alone, which are passed over: records stand one after the other, or in "
               "one list of them";
    if (h->n_columns == 0)
        return "has no rows";
    if (h->n_rows == 0)
        gs_buf_text(&b, gs_names_no_rows);
    else if (c->alone)
        gs_buf_text(&b, "no column of a power that is known (--power-column names it)");
    else
        gs_buf_text(&b, gs_names_unknown);
    for (uint32_t k = 0, n = 0; c->named && k < 2 * h->n_columns && n < SHOWN; k++) {
        const uint32_t i = k % h->n_columns;
        unsigned rank; /* what sounds like a power comes first: it may be the one that is meant */
        if ((gs_words_metric(h->column[i], &rank) == &gs_known_metrics[GS_POWER]) !=
            (k < h->n_columns))
            continue;
        gs_buf_text(&b, n++ == 0 ? "; found " : ", ");
        gs_buf_escaped(&b, h->column[i], 40);
    }
    gs_buf_text_if(&b, c->named && h->n_columns > SHOWN, ", ...");
    gs_buf_text_if(&b, c->named && h->form->skips_lists,
                   " (lists of lists or of objects are passed over)");
    return gs_buf_whole(&b);
}

/* Are these words numbers, UUIDs, or names that end in one, as those of hosts do? */
static bool are_names(struct gs_str list)
{
    struct gs_str word;
    size_t n = 0;
    for (size_t at = 0; (word = gs_next_word(list, &at)).ptr != NULL; n++)
        if (!gs_is_digit(word.ptr[word.len - 1]) && !gs_str_begins(word, "GPU-") &&
            !gs_str_begins(word, "MIG-"))
            return false;
    return n > 1;
}

/* An event may have several GPUs or hosts: "0,1", "0 1", "0+1", "0-3", "IDX:0", "n[01-04]", "8*n01" in some row. */
static void find_lists(const struct gs_preview *h, struct gs_map_value *v)
{
    const uint32_t column = gs_preview_plain_column(h, v);
    struct gs_str cell, before, low, high;
    for (size_t i = 0; column != UINT32_MAX && gs_infer_next(h, column, &i, &cell);) {
        const struct gs_str list = gs_trimmed(cell);
        v->many |= gs_is_gpu_range(list, &before, &low, &high) || gs_str_holds(list, ",") ||
                   gs_str_holds(list, ";") || gs_str_holds(list, "[") || gs_str_holds(list, "+") ||
                   gs_str_holds(list, "*") || gs_str_begins(list, "IDX:") || are_names(list);
    }
}

/* Has each worker a GPU of its own, whose number no other has? Then it is a process on that GPU, and no host. */
static void leave_workers(const struct inference *g, struct gs_source *s)
{
    enum { MOST = 64 };
    const uint32_t worker = gs_preview_plain_column(g->h, &s->host),
                   gpu = gs_preview_plain_column(g->h, &s->gpu);
    struct gs_str of[MOST], on[MOST];
    size_t n = 0;
    if (worker == UINT32_MAX || gpu == UINT32_MAX || strcmp(g->name[worker].whole, "worker") != 0)
        return;
    for (size_t i = 0; i < g->h->n_rows; i++) {
        const struct gs_str own = gs_preview_cell(g->h, i, worker),
                            its = gs_preview_cell(g->h, i, gpu);
        size_t k = 0;
        while (k < n && !gs_str_eq(of[k], own) && !gs_str_eq(on[k], its))
            k++;
        if (k == MOST || (k < n && !(gs_str_eq(of[k], own) && gs_str_eq(on[k], its))))
            return;
        of[k] = own;
        on[k] = its;
        n = gs_max(k + 1, n);
    }
    if (n < 2)
        return;
    s->host = (struct gs_map_value){.kind = GS_VALUE_NONE};
    gs_infer_note(g, &s->notes,
                  "each '%s' has a GPU of its own, so that it is no host (--set events.host=%s)",
                  GS_SHOWN(g->h->column[worker], 64), GS_SHOWN(g->h->column[worker], 64));
}

/* Events: spans, steps, or marks at instants. */
static bool infer_events(const struct inference *g, bool named, bool spans, struct gs_source *s)
{
    if (spans) {
        apply_spans(g, s);
        gs_infer_attributes(g, s);
        gs_infer_unclear(g, s);
        return true;
    }
    uint32_t column;
    bool has_unit; /* Wall time, Step, Value: TensorBoard's series of one metric are no steps */
    const bool steps = metric_of_file(g, &column, &has_unit) == NULL && gs_infer_steps(g, s);
    if (steps) {
        parse_keys(g, s);
        gs_infer_attributes(g, s);
    } else {
        apply_marks(g, named, s);
    }
    return steps || s->phase.kind != GS_PHASE_NONE;
}

/* Why samples with times are none all the same, NULL: they are. */
static const char *find_doubt(const struct inference *g, struct gs_source *s)
{
    const struct gs_str separator = g->h->table.separator;
    const bool by_commas = separator.len == 0 || gs_str_eq(separator, gs_str(","));
    const char *why = gs_infer_doubled(g, s);
    if (why == NULL && g->h->form->delimited && !by_commas)
        why = gs_infer_mixed(g, s);
    if (why != NULL)
        s->metrics.n = 0;
    return why;
}

/* Do readings without times count? Else *g->why says why not. */
static bool counts_without_times(const struct inference *g, bool named, struct gs_source *s)
{
    const bool delimited = g->h->form->delimited;
    if ((delimited || g->h->form->skips_lists) && s->metrics.n > 0 && is_of_runs(g, s)) {
        *g->why = gs_infer_find(&s->metrics, "power_w") != NULL
                      ? "has no times, and its power is a mean or the like: figures of runs are no "
                        "readings (--power-column takes them)"
                      : "has no times: it lists runs or cards, not readings";
        s->metrics.n = 0;
    }
    if (s->metrics.n == 0 || *g->why != NULL)
        return false;
    if (named || !delimited)
        return true; /* gs_map_check says what to say */
    *g->why = "has no column of times; name it with --samples to set them";
    return false;
}

/* The time of a row of the host and GPU of the first; false: it is of others, or has none. */
static bool read_time(const struct inference *g, const struct gs_source *s, struct gs_clock *clock,
                      size_t row, int64_t *t)
{
    const uint32_t gpu = gs_preview_plain_column(g->h, &s->gpu),
                   host = gs_preview_plain_column(g->h, &s->host),
                   time = gs_preview_plain_column(g->h, &s->time);
    return gs_str_eq(gs_preview_cell(g->h, row, gpu), gs_preview_cell(g->h, 0, gpu)) &&
           gs_str_eq(gs_preview_cell(g->h, row, host), gs_preview_cell(g->h, 0, host)) &&
           gs_clock_read(clock, gs_preview_cell(g->h, row, time), s->time.unit, g->name[time].unit,
                         t) == GS_TIME_OK;
}

static const int64_t hour_ns = 3600 * (int64_t)GS_NS_PER_S;

/* Would a time follow the last one but for whole hours? Logs that each begin with an hour are put together so, too. */
static bool goes_on_by_hours(int64_t first, int64_t last, int64_t step, int64_t t)
{
    return step > 0 && (last + step - t) % hour_ns == 0 &&
           (first % hour_ns >= step || t % hour_ns >= step);
}

/* Would it follow the last one but for the hour that local times have twice where summer time ends? A zone tells those apart. */
static bool goes_on_in_winter(int64_t last, int64_t step, int64_t t)
{
    return step > 0 && gs_distance(last - t, hour_ns) < 2 * (uint64_t)step &&
           gs_repeated_hour_has(t);
}

/*
 * A clock that was set back, or ran for twelve hours only: rows in order but for a step or two lie over those before. Of rows
 * by turns, each GPU's are looked at; one that begins anew is not a step. Where rows go on by whole hours but for the usual
 * step, or three and more lie between those before, that is what happened; else a logger may have stumbled.
 */
static void note_set_back(const struct inference *g, struct gs_source *s)
{
    enum { MOST = 4, OFTEN = 10 };
    const uint32_t time = gs_preview_plain_column(g->h, &s->time);
    struct gs_clock clock = gs_clock_of(g->h->table.separator);
    int64_t first = INT64_MAX, last = INT64_MIN, latest = INT64_MIN, step = 0, t;
    size_t n = 0, n_back = 0, n_within = 0, at = 0;
    bool hours = false;
    for (size_t i = 0; time != UINT32_MAX && i < g->h->n_rows; i++) {
        if (!read_time(g, s, &clock, i, &t))
            continue;
        if (t < last && t == first)
            return;
        const bool falls_back = t < last && !goes_on_in_winter(last, step, t);
        if (falls_back && n_back++ == 0)
            at = i;
        hours |= falls_back && goes_on_by_hours(first, last, step, t);
        if (t > last && n > 0 && n_back == 0)
            step = t - last;
        n_within += t > first && t < latest;
        if (n_back == 0)
            first = gs_min(first, t);
        latest = gs_max(latest, t);
        last = t;
        n++;
    }
    if (n_back == 0 || n_back > MOST || n < OFTEN * n_back)
        return;
    const char *const what = GS_SHOWN(gs_preview_cell(g->h, at, time), 44);
    if (hours || n_within > 2 * n_back)
        s->ambiguity = gs_format(g->arena,
                                 "its clock goes back at '%s' (it was set, or has 12 hours): type "
                                 "--set samples.time= --interval %.3fs for rows that far apart",
                                 what, (double)step / GS_NS_PER_S);
    else
        gs_infer_note(g, &s->warnings,
                      "its clock goes back at '%s': readings lie over those before, as where a "
                      "clock was set, or two logs are one file",
                      what);
    s->time_settles = s->ambiguity != NULL;
}

/* What rows with times are of, where no column says it, and what of them is not read. */
static void settle_rows(const struct inference *g, struct gs_source *s)
{
    const struct gs_form *const form = g->h->form;
    const bool open = s->where.n == 0 && s->gpu.kind == GS_VALUE_NONE && form->delimited;
    if (open)
        choose_devices(g, s);
    if (s->ambiguity == NULL)
        gs_infer_apart(g, s);
    take_pod(g, s);
    if (form->delimited || form->is_of_one_gpu)
        list_unread(g, s);
}

/* Labels in lines of words that are heat or sizes alone may be of anything, where neither a GPU nor its file is named. */
static bool is_heat_in_prose(const struct inference *g, const struct gs_source *s)
{
    const struct gs_form *const form = g->h->form;
    bool heat = !form->delimited && !gs_form_is_told(form) && s->gpu.kind == GS_VALUE_NONE &&
                !gs_words_gpu(gs_str(gs_path_last(g->path)));
    for (size_t i = 0; heat && i < s->metrics.n; i++) {
        const enum gs_quantity q = gs_metric_quantity(gs_metric_find(s->metrics.item[i].name));
        heat = (q == GS_Q_TEMPERATURE || q == GS_Q_MEMORY) &&
               !gs_words_gpu(s->metrics.item[i].value.column.item[0]);
    }
    return heat;
}

/* Why samples that could be read are none; NULL: they are. What runs took on the mean is nobody's reading. */
static const char *why_no_samples(const struct inference *g, bool named, struct gs_source *s)
{
    const bool timed = s->time.kind != GS_VALUE_NONE;
    if (s->metrics.n == 0)
        return NULL;
    if (timed && (is_of_runs(g, s) ||
                  (g->h->form->delimited && gs_infer_is_of_lengths(g, g->means[GS_MEANS_TIME])))) {
        s->metrics.n = 0;
        return "holds means of runs, not readings (--power-column takes them)";
    }
    if (is_heat_in_prose(g, s)) {
        s->metrics.n = 0;
        return "holds temperatures or sizes between words, and no line says of what";
    }
    if (!named && *g->why == NULL && has_of_processes(g, s))
        return "holds readings of processes, not of GPUs";
    if (!named && timed && gs_infer_first_time(g->h, s, NULL) == GS_TIME_OUTSIDE)
        return "its clock is not that of the other files; name it with --samples";
    return NULL;
}

/* An energy of one GPU, or of each in a column, that is of each row and no counter is left out, which is said. */
static void drop_row_energy(const struct inference *g, struct gs_source *s)
{
    struct gs_map_field *const f = gs_infer_find(&s->metrics, "energy_j");
    uint32_t c = 0;
    while (f != NULL && c < g->h->n_columns &&
           !(gs_map_value_takes(&f->value, g->h->column[c]) && falls_often(g->h, c)))
        c++;
    if (f == NULL || c == g->h->n_columns || s->gpu.kind != GS_VALUE_NONE ||
        s->host.kind != GS_VALUE_NONE)
        return;
    gs_infer_note(g, &s->notes, "not read: column '%s' falls too often for a counter of energy",
                  GS_SHOWN(g->h->column[c], 64));
    *f = s->metrics.item[--s->metrics.n];
}

/* Drivers count a GPU's memory in powers of 1024, and scripts call these KB, MB and GB: so they are read, which is said. */
static void count_memory(const struct inference *g, struct gs_source *s)
{
    static const char prefixes[] = "KMG", *const counted[] = {"KiB", "MiB", "GiB", ""};
    for (size_t k = 0; k < s->metrics.n; k++) {
        struct gs_map_value *const v = &s->metrics.item[k].value;
        uint32_t i = 0;
        while (i < g->h->n_columns && !gs_map_value_takes(v, g->h->column[i]))
            i++;
        const struct gs_unit none = {.quantity = GS_Q_NONE},
                             named = i < g->h->n_columns ? g->name[i].unit : none;
        if (v->unit.ptr != NULL || named.quantity != GS_Q_MEMORY || strlen(named.shown) != 2)
            continue;
        v->unit = gs_str(counted[strchr(prefixes, named.shown[0]) - prefixes]);
        gs_infer_note(
            g, &s->notes,
            "column '%s' is read in %s, as drivers count (--set samples.metrics.%s.unit=%s "
            "if it is in powers of 1000)",
            GS_SHOWN(g->h->column[i], 64), v->unit.ptr, s->metrics.item[k].name.ptr, named.shown);
    }
}

/* Samples; where they are none after all *g->why says why. */
static bool infer_samples(const struct inference *g, bool named, struct gs_source *s)
{
    const char *doubt = NULL;
    apply_samples(g, s);
    gs_infer_settle(g, s);
    count_memory(g, s);
    s->missing_units = *g->missing_units;
    bool timed = s->metrics.n > 0 && s->time.kind != GS_VALUE_NONE;
    if (timed)
        drop_row_energy(g, s);
    timed &= s->metrics.n > 0;
    if (timed)
        doubt = find_doubt(g, s);
    if (timed && doubt == NULL) {
        settle_rows(g, s);
        note_set_back(g, s);
    }
    if (doubt == NULL)
        doubt = why_no_samples(g, named, s);
    if (doubt != NULL)
        *g->why = doubt;
    return doubt == NULL && (timed || counts_without_times(g, named, s));
}

/* Can the table be read as that role? */
static bool infer_role(const struct inference *g, const struct gs_candidate *candidate,
                       enum gs_role role, struct gs_source *s)
{
    const bool start = g->means[GS_MEANS_START] != UINT32_MAX,
               stop = g->means[GS_MEANS_STOP] != UINT32_MAX;
    const bool spans =
        (start && stop) || ((start || stop) && g->means[GS_MEANS_DURATION] != UINT32_MAX);
    if ((candidate->roles >> role & 1) == 0)
        return false;
    if (role == GS_ROLE_EVENTS) {
        const bool found = infer_events(g, candidate->named, spans, s);
        leave_workers(g, s);
        gs_infer_numbered(g, s);
        find_lists(g->h, &s->gpu);
        find_lists(g->h, &s->host);
        return found;
    }
    if (role == GS_ROLE_SAMPLES)
        return !spans && infer_samples(g, candidate->named || candidate->only, s);
    apply_tasks(g, s);
    return s->task.kind != GS_VALUE_NONE;
}

enum gs_status gs_names_apply(const struct gs_preview *h, const struct gs_candidate *candidate,
                              struct gs_map *map, struct gs_source part[GS_N_ROLES],
                              struct gs_arena *arena, const char **why, struct gs_err *err)
{
    static const enum gs_role order[] = {GS_ROLE_TASKS, GS_ROLE_EVENTS, GS_ROLE_SAMPLES};
    struct gs_missing_units missing_units = {0};
    struct inference g = {.h = h,
                          .arena = arena,
                          .why = why,
                          .missing_units = &missing_units,
                          .path = candidate->path.ptr,
                          .alone = candidate->alone,
                          .name = gs_arena_take(arena, h->n_columns, sizeof *g.name)};
    const struct gs_source *found = NULL;
    *why = NULL;
    GS_TRY(gs_had_memory(g.name != NULL, err));
    gs_sources_init(part);
    parse_names(&g);
    for (size_t i = 0; found == NULL && i < sizeof order / sizeof *order; i++)
        if (infer_role(&g, candidate, order[i], &part[order[i]]))
            found = &part[order[i]];
    if (found == NULL && *why == NULL)
        *why = why_nothing(h, candidate);
    struct gs_source *const to = found == NULL ? NULL : gs_map_add(map, arena);
    if (to != NULL)
        *to = *found;
    return gs_had_memory(!arena->failed, err);
}
