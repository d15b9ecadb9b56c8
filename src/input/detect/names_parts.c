/* names_parts.c - helpers shared by the files of detection by names. */
#include "input/detect/names_parts.h"

#include "base/os/path.h"
#include "base/core/pattern.h"

#include <stdarg.h>
#include <stdio.h>
#include <limits.h>
#include <string.h>

const char *const gs_infer_by_words[] = {"power_w", "temp_c", "gpu_util_pct", "sm_clock_mhz", NULL};

void gs_infer_share(struct gs_str first, struct gs_str other, size_t *head, size_t *tail)
{
    size_t a = 0, z = 0;
    while (a < *head && a < other.len && other.ptr[a] == first.ptr[a])
        a++;
    while (z < *tail && z < other.len - a && z < first.len - a &&
           other.ptr[other.len - 1 - z] == first.ptr[first.len - 1 - z])
        z++;
    *head = a;
    *tail = z;
}

bool gs_infer_has_values(const struct gs_preview *h, uint32_t column)
{
    return gs_infer_first(h, column).ptr != NULL;
}

bool gs_infer_next(const struct gs_preview *h, uint32_t column, size_t *i, struct gs_str *cell)
{
    while (*i < h->n_rows) {
        *cell = gs_preview_cell(h, (*i)++, column);
        if (cell->ptr != NULL && !gs_is_no_value(*cell))
            return true;
    }
    return false;
}

struct gs_str gs_infer_first(const struct gs_preview *h, uint32_t column)
{
    struct gs_str cell;
    size_t i = 0;
    return gs_infer_next(h, column, &i, &cell) ? cell : GS_NO_STR;
}

bool gs_infer_holds_states(const struct gs_preview *h, uint32_t column)
{
    struct gs_str cell;
    size_t i = 0;
    while (gs_infer_next(h, column, &i, &cell)) {
        const struct gs_str word = gs_str_take(&cell, ' '); /* CANCELLED by 1001 */
        if (!GS_IS_ONE_OF(word, "pending", "running", "completed", "complete", "succeeded",
                          "finished", "done", "failed", "cancelled", "canceled", "preempted",
                          "timeout", "out_of_memory", "exit", "killed", "suspended", "crashed",
                          "node_fail"))
            return false;
    }
    return gs_infer_has_values(h, column);
}

enum gs_number gs_infer_number(const struct inference *g, struct gs_str cell, struct gs_unit unit,
                               int64_t *value)
{
    const struct gs_str separator = g->h->table.separator;
    return separator.len == 1 && gs_takes_commas(separator.ptr[0])
               ? gs_scaled_parse_comma(cell, unit, value, NULL)
               : gs_scaled_parse(cell, unit, value, NULL);
}

bool gs_infer_reading(struct gs_str text, enum gs_quantity quantity, bool *has_unit)
{
    struct gs_unit unit = {quantity, 1, 2, ""};
    int64_t v;
    const enum gs_number n = gs_scaled_parse_comma(text, unit, &v, NULL);
    if (n != GS_NUMBER_OK &&
        (n != GS_NUMBER_MISSING || gs_is_no_value(text))) /* DCGM's numbers for none are readings */
        return false;
    *has_unit =
        text.len > 0 && !gs_is_digit(text.ptr[text.len - 1]) && text.ptr[text.len - 1] != '.';
    return true;
}

/* A value is no column before there is one. */
void gs_infer_column(struct gs_map_value *v, struct gs_str column, struct gs_arena *arena)
{
    if (gs_texts_add(&v->column, column, arena))
        v->kind = GS_VALUE_COLUMN;
}

void gs_infer_add(struct gs_map_fields *f, const char *name, struct gs_map_value value,
                  struct gs_arena *arena)
{
    if (name != NULL && value.kind != GS_VALUE_NONE && GS_HAS_ROOM(arena, f->item, f->n))
        f->item[f->n++] = (struct gs_map_field){gs_str(name), value};
}

void gs_infer_take(const struct inference *g, struct gs_map_value *v, uint32_t column)
{
    if (column != UINT32_MAX)
        gs_infer_column(v, g->h->column[column], g->arena);
}

void gs_infer_add_column(struct gs_map_fields *f, const char *name, struct gs_str column,
                         const char *unit, struct gs_arena *arena)
{
    struct gs_map_value value = {.unit = gs_str(unit)};
    gs_infer_column(&value, column, arena);
    gs_infer_add(f, name, value, arena);
}

void gs_infer_add_where(struct gs_map_fields *f, const char *metric, const char *name_column,
                        const char *value_column, const char *unit, struct gs_str pattern,
                        struct gs_arena *arena)
{
    struct gs_map_where *const where = gs_arena_take(arena, 1, sizeof *where);
    struct gs_map_value value = {.unit = gs_str(unit), .where = {where, where != NULL}};
    if (where == NULL || !gs_texts_add(&where->pattern, pattern, arena))
        return;
    where->column = gs_str(name_column);
    gs_infer_column(&value, gs_str(value_column), arena);
    gs_infer_add(f, metric, value, arena);
}

void gs_infer_keep_rows(const struct inference *g, struct gs_str column, struct gs_texts texts,
                        struct gs_source *s)
{
    s->where.item = gs_arena_take(g->arena, 1, sizeof *s->where.item);
    if (s->where.item == NULL)
        return;
    s->where.n = 1;
    s->where.item[0] = (struct gs_map_where){.column = column, .pattern = texts};
}

void gs_infer_note(const struct inference *g, struct gs_texts *notes, const char *format, ...)
{
    char text[1024];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text, sizeof text, format, values);
    va_end(values);
    (void)gs_texts_add(notes, gs_str(text), g->arena);
}

struct gs_map_field *gs_infer_find(const struct gs_map_fields *f, const char *name)
{
    for (size_t i = 0; i < f->n; i++)
        if (gs_str_eq(f->item[i].name, gs_str(name)))
            return &f->item[i];
    return NULL;
}

void gs_infer_missing(const struct inference *g, const struct gs_buf *b, struct gs_str column,
                      const struct gs_metric *m)
{
    if (*g->why == NULL && gs_is_measure(m))
        *g->why = gs_buf_str(b).ptr;
    (void)gs_missing_units_add(g->missing_units,
                               (struct gs_missing_unit){column, m, gs_buf_str(b).ptr}, g->arena);
}

const struct gs_metric *gs_infer_file_metric(const char *path)
{
    static const char *const ends[] = {"log", "logs", "data", "readings"}; /* temp_log.csv */
    const char *const last = gs_path_last(path);
    struct gs_str stem = {last, strcspn(last, ".")};
    struct gs_name name;
    bool needs_unit;
    unsigned rank;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (gs_str_ends(stem, ends[i]))
            stem.len -= strlen(ends[i]);
    stem.len = gs_str_skip_back(stem, stem.len, "_- ");
    gs_name_split(stem, &name);
    const struct gs_metric *const m = gs_name_metric(&name, &needs_unit);
    return m != NULL ? m : gs_words_metric(stem, &rank);
}

struct gs_str gs_duration_unit(struct gs_str cell)
{
    const size_t n = gs_str_skip(cell, 0, GS_ALL_DIGITS "-. ");
    if (n == 0)
        return gs_str("");
    const struct gs_str unit = gs_str_after(cell, n);
    return gs_unit_find(unit).quantity == GS_Q_TIME ? unit : gs_str("");
}

/* Readings of a column, how many of them are usual in a unit, and how many have a fraction. */
struct usual {
    size_t n, fit, parts;
};

/* Counts those of a column, of one row name in a long table where `rows` says it. */
static void count_usual(const struct inference *g, uint32_t column, const struct gs_metric *m,
                        struct gs_unit unit, const struct gs_rows_of *rows, struct usual *count)
{
    const bool of_host =
        g->means[GS_MEANS_HOST] != UINT32_MAX && g->means[GS_MEANS_INDEX] == UINT32_MAX &&
        g->means[GS_MEANS_UUID] == UINT32_MAX && g->means[GS_MEANS_SERIAL] == UINT32_MAX;
    const int64_t high = gs_metric_usual_high(m, !of_host);
    for (size_t k = 0; k < g->h->n_rows; k++) {
        const struct gs_str cell = gs_preview_cell(g->h, k, column);
        int64_t v = 0;
        if (cell.ptr == NULL || gs_is_no_value(cell) ||
            (rows != NULL && !gs_str_eq(gs_preview_cell(g->h, k, rows->names), rows->name)) ||
            gs_infer_number(g, cell, unit, &v) != GS_NUMBER_OK || v == 0)
            continue;
        count->n++;
        count->fit += v >= m->usual_low && v <= high;
        count->parts += gs_str_find_byte(cell, '.') < cell.len;
    }
}

/* Do the numbers of all columns of a pattern that names no metric rise from row to row, as those of counters do and no power? */
static bool only_rise(const struct inference *g, struct gs_str column, bool wide)
{
    enum { FEWEST = 8 };
    size_t n_rises = 0, n = 0;
    unsigned rank;
    if (gs_words_metric(column, &rank) != NULL)
        return false;
    for (uint32_t i = 0; i < g->h->n_columns; i++) {
        int64_t before = INT64_MAX, v;
        struct gs_str cell;
        if (!(wide ? gs_pattern_match(column, g->h->column[i], NULL)
                   : gs_str_eq(column, g->h->column[i])))
            continue;
        for (size_t k = 0; gs_infer_next(g->h, i, &k, &cell); before = v, n++) {
            if (gs_infer_number(g, cell, GS_UNIT_NONE, &v) != GS_NUMBER_OK ||
                (before != INT64_MAX && v < before))
                return false;
            n_rises += before != INT64_MAX && v > before;
        }
    }
    return n_rises >= FEWEST && 2 * n_rises > n;
}

const char *gs_infer_fitting_unit(const struct inference *g, struct gs_str column,
                                  const struct gs_metric *m, bool wide,
                                  const struct gs_rows_of *rows)
{
    static const char *const powers[] = {"W", "mW", "uW", "kW"}, *const clocks[] = {"MHz", "kHz",
                                                                                    "Hz", "GHz"};
    const enum gs_quantity quantity = gs_metric_quantity(m);
    const char *const *const units = quantity == GS_Q_POWER ? powers : clocks;
    struct gs_name name;
    const char *found = NULL;
    gs_name_split(rows == NULL ? column : rows->name, &name);
    const bool open = (quantity == GS_Q_POWER || quantity == GS_Q_CLOCK) && !name.is_measured &&
                      (rows != NULL || !only_rise(g, column, wide));
    for (size_t u = 0; open && u < sizeof powers / sizeof *powers; u++) {
        struct usual count = {0};
        for (uint32_t i = 0; i < g->h->n_columns; i++)
            if (wide ? gs_pattern_match(column, g->h->column[i], NULL)
                     : gs_str_eq(column, g->h->column[i]))
                count_usual(g, i, m, gs_unit_find(gs_str(units[u])), rows, &count);
        /* 650.5 may be 0.65 W by its size, but sensors count whole milliwatts */
        if (count.fit * 2 <= count.n ||
            (strcmp(units[u], "mW") == 0 && found != NULL && count.parts > 0))
            continue;
        if (found != NULL)
            return NULL;
        found = units[u];
    }
    return found;
}

bool gs_infer_are_usual(const struct inference *g, uint32_t column, const struct gs_metric *m)
{
    struct usual count = {0};
    count_usual(g, column, m, gs_unit_find(gs_str(m->unit)), NULL, &count);
    return count.fit * 2 >= count.n;
}

const char *gs_infer_assumed_unit(const struct inference *g, struct gs_str column,
                                  const struct gs_metric *m, bool wide,
                                  const struct gs_rows_of *rows)
{
    const char *const fits = gs_infer_fitting_unit(g, column, m, wide, rows);
    return fits == NULL || strcmp(fits, "kW") == 0 ? NULL : fits;
}

void gs_infer_note_assumed_unit(const struct inference *g, struct gs_str column, const char *unit,
                                struct gs_source *s)
{
    gs_infer_note(g, &s->notes, "column '%s' has no unit: read in %s, the only unit its values fit",
                  GS_SHOWN(column, 64), unit);
}

void gs_infer_note_unit(const struct inference *g, struct gs_str column, const struct gs_metric *m,
                        bool wide)
{
    struct gs_buf b = {.arena = g->arena};
    const bool counts = m == &gs_known_metrics[GS_POWER] && only_rise(g, column, wide);
    if (counts)
        m = gs_metric_find(gs_str("energy_j"));
    gs_put_missing_unit(&b, column, m, wide ? "columns" : "column",
                        gs_infer_fitting_unit(g, column, m, wide, NULL));
    gs_buf_text_if(&b, counts, ": it only rises, as a counter of energy does");
    gs_infer_missing(g, &b, column, m);
}

void gs_infer_note_long_unit(const struct inference *g, struct gs_str text,
                             const struct gs_metric *m, const char *name_column,
                             const char *value_column, const char *fits)
{
    struct gs_buf b = {.arena = g->arena};
    const char *const where = gs_format(g->arena, "where.%s", name_column);
    gs_buf_format(&b, "metric '%s' has no unit: type", GS_SHOWN(text, 84));
    gs_put_set(&b, m->name, "column", gs_str(value_column));
    gs_put_set(&b, m->name, gs_or_empty(where), text);
    gs_put_unit(&b, m, fits);
    gs_infer_missing(g, &b, text, m);
}

bool gs_infer_comes_again(const struct gs_preview *h, uint32_t column)
{
    enum { FIRST = 64, SEVERAL = 8 };
    const size_t n = gs_min(h->n_rows, FIRST);
    size_t distinct = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < i && !gs_str_eq(gs_preview_cell(h, i, column), gs_preview_cell(h, k, column)))
            k++;
        distinct += k == i;
    }
    return distinct <= SEVERAL || distinct * 2 <= n;
}

bool gs_infer_contains_words(const struct gs_preview *h, uint32_t column)
{
    struct gs_str cell;
    bool any = false;
    for (size_t i = 0; gs_infer_next(h, column, &i, &cell);) {
        bool has_unit;
        if (gs_infer_reading(cell, GS_Q_NONE, &has_unit) ||
            gs_str_skip(cell, 0, GS_ALL_DIGITS ".,;+-[]() ") == cell.len || /* several numbers */
            gs_clock_read_alone(cell, GS_NO_STR, GS_UNIT_NONE, NULL) != GS_TIME_BAD)
            return false;
        any = true;
    }
    return any;
}

bool gs_infer_differs(const struct gs_preview *h, uint32_t column)
{
    const struct gs_str first = gs_infer_first(h, column);
    struct gs_str cell;
    for (size_t i = 0; gs_infer_next(h, column, &i, &cell);)
        if (!gs_str_eq(cell, first))
            return true;
    return false;
}

unsigned gs_infer_owner_rank(struct gs_str text, bool of_host)
{
    enum { PER_MEANING = 1000 };
    static const enum gs_meaning host[] = {GS_MEANS_HOST},
                                 gpu[] = {GS_MEANS_UUID, GS_MEANS_SERIAL, GS_MEANS_INDEX};
    const enum gs_meaning *const means = of_host ? host : gpu;
    struct gs_name name;
    unsigned rank;
    gs_name_split(text, &name);
    for (unsigned k = 0; k < (of_host ? sizeof host : sizeof gpu) / sizeof *gpu; k++)
        if (gs_name_fits(&name, means[k], &rank))
            return k * PER_MEANING + rank;
    return UINT_MAX;
}

/* Is a column's name made of words of these lists alone, one of its subject's among them: num_gpus, GPUs allocated? */
static bool made_of(struct gs_str column, const char *subject, const char *words)
{
    struct gs_name name;
    gs_name_split(column, &name);
    struct gs_str rest = gs_str(name.whole);
    bool about = false;
    while (rest.len > 0) {
        size_t longest = 0;
        bool is_subject = false;
        for (int list = 0; list < 2; list++)
            for (struct gs_str all = gs_str(list == 0 ? subject : words); all.len > 0;) {
                const struct gs_str word = gs_str_take(&all, ' ');
                if (word.len <= longest || word.len > rest.len ||
                    memcmp(word.ptr, rest.ptr, word.len) != 0)
                    continue;
                longest = word.len;
                is_subject = list == 0;
            }
        if (longest == 0)
            return false;
        about |= is_subject;
        rest = gs_str_after(rest, longest);
    }
    return about;
}

bool gs_infer_counts_gpus(struct gs_str column)
{
    return made_of(column, "gpu gpus",
                   "n num number of no count total used alloc allocated req requested "
                   "request requests resource list nvidia com");
}

bool gs_infer_names_no_gpu(struct gs_str name)
{
    return gs_words_have(name, "job replica quantile le container pod namespace process user app "
                               "service endpoint task workload source method backend tool kind "
                               "metric type");
}

bool gs_infer_is_of_work(const struct inference *g, uint32_t column)
{
    static const char *const names[] = {"kernel",   "kernelname", "benchmark", "function",
                                        "workload", "operation",  "app",       "appname",
                                        "test",     "phase",      "command"};
    return gs_str_is_one_of(gs_str(g->name[column].whole), names, sizeof names / sizeof *names);
}

/* gpu_ids, GPU index, CUDA_VISIBLE_DEVICES: a number in it is none of how many. */
static bool names_identity(const struct gs_name *name)
{
    static const char *const ends[] = {"id", "ids", "index", "indices", "uuid", "uuids", "list"};
    bool so = gs_str_begins(gs_str(name->whole), "cudavisible");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        so |= gs_str_ends(gs_str(name->whole), ends[i]);
    return so;
}

/* Are its cells numbers? A list in one of them names GPUs, as do the numbers beside it then. */
static bool holds_counts(const struct gs_preview *h, uint32_t column)
{
    struct gs_str cell;
    uint64_t v;
    for (size_t i = 0; gs_infer_next(h, column, &i, &cell);)
        if (gs_count_parse(gs_trimmed(cell), UINT64_MAX, &v) != GS_NUMBER_OK)
            return false;
    return true;
}

uint32_t gs_infer_list_of(const struct inference *g, bool hosts)
{
    static const char words[] = "ids id uuids uuid indices index list names name used alloc "
                                "allocated assigned devices device exec execution compute worker";
    const char *const subject = hosts ? "nodes node hosts host knoten servers machines"
                                      : "gpus gpu cudavisible devices accelerators";
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < g->h->n_columns; i++) {
        if (!made_of(g->h->column[i], subject, words) || !gs_infer_has_values(g->h, i) ||
            (!names_identity(&g->name[i]) && holds_counts(g->h, i)))
            continue;
        if (found != UINT32_MAX)
            return UINT32_MAX;
        found = i;
    }
    return found;
}

const char *gs_infer_attribute(const struct inference *g, uint32_t column)
{
    static const struct {
        const char *attribute, *columns; /* the best first */
    } labels[] = {
        {"user", "user username owner jobowner submitter login userid uid usr benutzer who"},
        {"account", "account"},
        {"partition", "partition queue"},
        {"project", "project namespace"},
        {"group", "group"},
        {"gpus_per_node", "gpuspernode gpupernode ngpuspernode numgpuspernode gpusperhost gres "
                          "reqgres gresreq trespernode"},
        {"gpus", "allocgres gresalloc gresused alloctres tresalloc tres"},
        {"model", "model"},
        {"state", "state status stat jobstate phase"},
        {"epoch", "epoch"},
        {"stage", "stage"}};
    const char *const name = g->name[column].whole;
    for (size_t k = 0; k < sizeof labels / sizeof *labels; k++)
        for (struct gs_str rest = gs_str(labels[k].columns); rest.len > 0;)
            if (gs_str_eq(gs_str_take(&rest, ' '), gs_str(name)))
                return labels[k].attribute;
    if (gs_infer_counts_gpus(g->h->column[column]))
        return "gpus";
    return NULL;
}

/* Is a column called for what a scheduler keeps of a job: its user, account, partition, state? */
static bool is_of_scheduler(const struct inference *g, uint32_t column)
{
    const char *const label = gs_infer_attribute(g, column);
    return label != NULL &&
           GS_IS_ONE_OF(gs_str(label), "user", "account", "partition", "project", "group", "state");
}

enum { UNCALLED = 1000 }; /* the rank of a column that no name of events is */

/* How well a column is called for one that names events, 0 best; UINT_MAX: it is something else. */
static unsigned rank_of_words(const struct inference *g, uint32_t column)
{
    static const char *const outcomes[] = {"reason",  "result", "outcome", "error",
                                           "message", "status", "state"};
    static const char *const names[] = {"config", "configuration", "benchmark", "workload", "model",
                                        "split",  "mode",          "endpoint",  "route",    "path"};
    enum { N_NAMES = sizeof names / sizeof *names };
    const char *const name = g->name[column].whole;
    unsigned rank;
    if (gs_name_fits(&g->name[column], GS_MEANS_EVENT, &rank))
        return rank;
    for (int m = GS_MEANS_TIME; m < GS_N_MEANINGS; m++)
        if (g->means[m] == column && m != GS_MEANS_CARD)
            return UINT_MAX;
    if (g->means[GS_MEANS_JOB] != UINT32_MAX &&
        (is_of_scheduler(g, column) || column == gs_infer_list_of(g, true) ||
         column == gs_infer_list_of(g, false)))
        return UINT_MAX; /* whose a job is and where it ran names none */
    for (size_t k = 0; k < sizeof outcomes / sizeof *outcomes; k++)
        if (gs_str_ends(gs_str(name), outcomes[k]))
            return UINT_MAX;
    for (unsigned k = 0; k < N_NAMES; k++)
        if (strcmp(name, names[k]) == 0)
            return UNCALLED - N_NAMES + k;
    return UNCALLED;
}

uint32_t gs_infer_words(const struct inference *g, bool called)
{
    uint32_t found = UINT32_MAX, n = 0;
    unsigned best = UINT_MAX;
    for (uint32_t i = 0; i < g->h->n_columns; i++) {
        const unsigned rank = rank_of_words(g, i);
        if (rank > UNCALLED || !gs_infer_contains_words(g->h, i))
            continue;
        if (called && (rank == UNCALLED || !gs_infer_differs(g->h, i) ||
                       gs_infer_holds_states(g->h, i) || !gs_infer_comes_again(g->h, i)))
            continue;
        n = rank < best ? 1 : n + (rank == best);
        if (rank < best)
            found = i;
        best = gs_min(rank, best);
    }
    return n == 1 ? found : UINT32_MAX;
}
