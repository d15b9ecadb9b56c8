/* sweep_csv.c - a frequency sweep from a CSV with anybody's column names. */

#include <math.h>
#include <string.h>

#include "input/studies/study_csv.h"
#include "input/bytes/csv_find.h"
#include "input/schema/column_meaning.h"
#include "base/num/decimal.h"
#include "base/num/order.h"
#include "stats/descriptive/moments.h"

/* Runs of one group at one frequency whose times vary by more than this (sd over mean) are hardly one work. */
#define CV_MAX 0.5

/* The time breaks ties: sums of doubles depend on their order, and qsort is not stable. */
GS_COMPARES(by_frequency, struct gs_sweep_run,
            GS_BY_TEXT(group) GS_BY(frequency_mhz) GS_BY(time_s));

static bool at_one_frequency(const struct gs_sweep_run *a, const struct gs_sweep_run *b)
{
    return gs_str_eq(a->group, b->group) && gs_cmp(a->frequency_mhz, b->frequency_mhz) == 0;
}

/* Warns of groups that mix different work: their times vary by more than CV_MAX at one frequency. */
static enum gs_status note_mixes(const struct gs_sweep_table *t, struct gs_notes *notes,
                                 struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    GS_NEW_RAW(struct gs_sweep_run, run, t->n, &own, err);
    GS_NEW_RAW(double, time, t->n, &own, err);
    size_t n_groups = 0, n_varying = 0;
    double most = 0;
    memcpy(run, t->run, t->n * sizeof *run);
    GS_SORT(run, t->n, by_frequency);
    for (size_t i = 0; i < t->n; n_groups++) {
        const struct gs_sweep_run *const group = &run[i];
        double cv_max = 0;
        while (i < t->n && gs_str_eq(run[i].group, group->group)) {
            const struct gs_sweep_run *const first = &run[i];
            size_t n = 0;
            for (; i < t->n && at_one_frequency(first, &run[i]); i++)
                if (run[i].time_s > 0)
                    time[n++] = run[i].time_s;
            const struct gs_real_moments d = gs_real_describe(time, n);
            cv_max = n > 1 ? gs_max(d.ssd / d.mean, cv_max) : cv_max;
        }
        most = gs_max(cv_max, most);
        n_varying += cv_max > CV_MAX;
    }
    if (n_varying > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%s: in %zu of %zu groups times at one frequency vary, sd up to %.1f of their mean "
                "(sd): means over different work mislead (--group COLUMN,... keeps it apart)",
                t->name, n_varying, n_groups, most);
    return GS_OK;
}

/* Squares and products of such values stay finite. */
#define VALUE_MAX 1e30

enum { GROUP_PARTS_MAX = 8, WHERE_MAX = 16 };
enum { FREQUENCY, TIME, POWER, N_FIELDS };

struct parts {
    int column[GROUP_PARTS_MAX];
    size_t n;
};

struct condition {
    size_t column;
    struct gs_str value;
};

struct sweep {
    const struct gs_csv_table *t;
    struct gs_arena *arena;
    struct parts group;
    const struct gs_csv_field *field; /* [N_FIELDS] */
    double per_s;
    struct condition where[WHERE_MAX];
    size_t n_where;
};

static bool varies(const struct gs_csv_table *t, int c)
{
    for (size_t r = 1; r < t->n_rows; r++)
        if (!gs_str_eq(gs_csv_cell(t, r, (size_t)c), gs_csv_cell(t, 0, (size_t)c)))
            return true;
    return false;
}

static enum gs_status given_group(struct sweep *w, const char *names, struct gs_err *err)
{
    for (const char *at = names; at != NULL;) {
        const size_t len = strcspn(at, ",");
        char *const name = gs_arena_copy(w->arena, at, len);
        size_t c;
        GS_TRY(gs_had_memory(name != NULL, err));
        if (w->group.n == GROUP_PARTS_MAX)
            return gs_fail(err, GS_ERR_USAGE, "--group: more than %d columns", GROUP_PARTS_MAX);
        GS_TRY(gs_csv_column(w->t, name, &c, err));
        w->group.column[w->group.n++] = (int)c;
        at = at[len] == ',' ? at + len + 1 : NULL;
    }
    return GS_OK;
}

/* The first column of words of which the first occurs again: what several runs belong to. GS_CSV_NONE: none. */
static int find_words(const struct gs_csv_table *t)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        const struct gs_str first = gs_csv_cell(t, 0, c);
        double number;
        if (first.len == 0 || gs_real_parse(first, &number) == GS_NUMBER_OK)
            continue;
        for (size_t r = 1; r < t->n_rows; r++)
            if (gs_str_eq(gs_csv_cell(t, r, c), first))
                return (int)c;
    }
    return GS_CSV_NONE;
}

static void usual_group(struct sweep *w, struct gs_notes *notes)
{
    static const char group[] = "network|model|benchmark|appName|app|application|name|group";
    static const char memory[] =
        "memory_frequency|memory_frequency_mhz|memF|memory_clock|mem_clock";
    int c = gs_csv_find_any(w->t, group);
    if (c == GS_CSV_NONE && (c = find_words(w->t)) != GS_CSV_NONE)
        gs_note(notes, GS_NOTE_INFO, "%s: groups are those of '%s' (--group)", w->t->name,
                GS_SHOWN(w->t->header[c], 80));
    else if (c == GS_CSV_NONE)
        gs_note(notes, GS_NOTE_INFO, "%s: all runs are one group (--group names a column)",
                w->t->name);
    if (c != GS_CSV_NONE)
        w->group.column[w->group.n++] = c;
    const int m = gs_csv_find_any(w->t, memory);
    bool filtered = false;
    for (size_t i = 0; i < w->n_where; i++)
        filtered |= m != GS_CSV_NONE && w->where[i].column == (size_t)m;
    if (m == GS_CSV_NONE || filtered || !varies(w->t, m))
        return;
    w->group.column[w->group.n++] = m;
    gs_note(notes, GS_NOTE_INFO,
            "%s: the memory clock varies, so '%s' is a part of the group (--group, --where)",
            w->t->name, GS_SHOWN(w->t->header[m], 80));
}

/* How many of the unit at the end of a name make a second: time/ms, time_us, time [s]. 0: no unit. */
static double unit_of(struct gs_str name)
{
    static const struct {
        const char *text;
        double per_s;
    } units[] = {{"ns", 1e9}, {"us", 1e6}, {"ms", 1e3}, {"s", 1.0}};
    name.len = gs_str_skip_back(name, name.len, " ])");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t len = strlen(units[i].text);
        if (name.len > len && strchr("_/ [(.", name.ptr[name.len - len - 1]) != NULL &&
            gs_str_eq_nocase((struct gs_str){name.ptr + name.len - len, len},
                             gs_str(units[i].text)))
            return units[i].per_s;
    }
    return 0;
}

/* Where no usual name is there, the only column that its unit makes the field: gpu_clock_mhz, latency_ms; no memory's clock. */
static bool name_by_unit(const struct sweep *w, struct gs_csv_field *field, enum gs_quantity of)
{
    size_t n = 0, found = 0;
    for (size_t c = 0; c < w->t->n_columns; c++) {
        struct gs_name name;
        gs_name_split(w->t->header[c], &name);
        const bool plain = of == GS_Q_TIME ? unit_of(w->t->header[c]) > 0
                                           : name.unit.num == 1 && name.unit.den == 1;
        if (name.unit.quantity != of || !plain || strstr(name.whole, "mem") != NULL)
            continue;
        found = c;
        n++;
    }
    if (field->given != NULL || n != 1 || gs_csv_find_any(w->t, field->names) != GS_CSV_NONE)
        return true;
    field->given = gs_arena_copy(w->arena, w->t->header[found].ptr, w->t->header[found].len);
    return field->given != NULL;
}

static enum gs_status conditions(struct sweep *w, const struct gs_sweep_columns *columns,
                                 struct gs_err *err)
{
    for (size_t i = 0; i < columns->n_where; i++) {
        const char *const text = columns->where[i], *const equals = strchr(text, '=');
        if (equals == NULL || w->n_where == WHERE_MAX)
            return gs_fail(err, GS_ERR_USAGE,
                           "--where: '%s' must be COLUMN=VALUE, at most %d of them",
                           GS_SHOWN(gs_str(text), 128), WHERE_MAX);
        char *const name = gs_arena_copy(w->arena, text, (size_t)(equals - text));
        struct condition *const c = &w->where[w->n_where];
        GS_TRY(gs_had_memory(name != NULL, err));
        GS_TRY(gs_csv_column(w->t, name, &c->column, err));
        c->value = gs_str(equals + 1);
        w->n_where++;
    }
    return GS_OK;
}

/* Equal as text, or both numbers and equal: 877 and 877.0 are one clock. */
static bool contains(const struct sweep *w, size_t row)
{
    for (size_t i = 0; i < w->n_where; i++) {
        const struct gs_str cell = gs_csv_cell(w->t, row, w->where[i].column);
        double a, b;
        if (!gs_str_eq(cell, w->where[i].value) &&
            (gs_real_parse(cell, &a) != GS_NUMBER_OK ||
             gs_real_parse(w->where[i].value, &b) != GS_NUMBER_OK || a != b))
            return false;
    }
    return true;
}

/* The file's name without a group, "BlackScholes", or with further columns "BlackScholes, memF 5800". */
static bool group_name(const struct sweep *w, size_t row, struct gs_str *name)
{
    *name = gs_file_called(gs_str(w->t->name));
    if (w->group.n > 0)
        *name = gs_csv_cell(w->t, row, (size_t)w->group.column[0]);
    if (w->group.n <= 1)
        return true;
    struct gs_buf b = {.arena = w->arena};
    gs_buf_bytes(&b, name->ptr, name->len);
    for (size_t i = 1; i < w->group.n; i++) {
        const struct gs_str header = w->t->header[w->group.column[i]];
        const struct gs_str cell = gs_csv_cell(w->t, row, (size_t)w->group.column[i]);
        gs_buf_text(&b, ", ");
        gs_buf_add(&b, header);
        gs_buf_char(&b, ' ');
        gs_buf_add(&b, cell);
    }
    *name = gs_buf_str(&b);
    return !b.failed;
}

static enum gs_status read_runs(const struct sweep *w, struct gs_notes *notes,
                                struct gs_sweep_table *table, struct gs_err *err)
{
    const struct gs_csv_table *const t = w->t;
    size_t n = 0, n_left_out = 0;
    for (size_t r = 0; r < t->n_rows; r++) {
        struct gs_sweep_run *const run = &table->run[n];
        double v[N_FIELDS];
        if (!contains(w, r))
            continue;
        GS_TRY(gs_csv_fields_read(t, r, w->field, N_FIELDS, v, err));
        GS_TRY(gs_had_memory(group_name(w, r, &run->group), err));
        run->frequency_mhz = v[FREQUENCY];
        run->time_s = v[TIME] / w->per_s;
        run->power_w = v[POWER];
        const bool whole = !isnan(v[FREQUENCY]) && !isnan(v[TIME]) && !isnan(v[POWER]);
        n += whole;
        n_left_out += !whole;
    }
    if (n == 0)
        return gs_fail(err, GS_ERR_DATA, "%s: no row with frequency, time and power%s", t->name,
                       w->n_where > 0 ? " for which --where holds" : "");
    if (n_left_out > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%s: %zu rows lack frequency, time or power and are left out", t->name, n_left_out);
    table->name = t->name;
    table->n = n;
    return GS_OK;
}

enum gs_status gs_sweep_read(const char *path, const struct gs_sweep_columns *columns,
                             struct gs_arena *arena, struct gs_notes *notes,
                             struct gs_sweep_table *table, struct gs_err *err)
{
    struct gs_csv_field field[] = {
        [FREQUENCY] = {"core_frequency|coreF|frequency|frequency_mhz|core_frequency_mhz|core_clock|"
                       "clock|freq",
                       columns->frequency, .max = 1e12, .is_needed = true},
        [TIME] = {"time|time_ms|time/ms|time_s|time/s|time_us|computation_time|computation_time_s|"
                  "runtime_s",
                  columns->time, .max = VALUE_MAX, .is_needed = true},
        [POWER] = {"average_power|power|power_w|power/W|average_power_w|max_power|max_power_w",
                   columns->power, .max = VALUE_MAX, .is_needed = true}};
    struct gs_csv_table t;
    struct sweep w = {.t = &t, .field = field, .arena = arena, .per_s = columns->time_units_per_s};
    GS_TRY(gs_csv_read(path, arena, &t, err));
    GS_TRY(conditions(&w, columns, err));
    if (columns->group != NULL)
        GS_TRY(given_group(&w, columns->group, err));
    else
        usual_group(&w, notes);
    GS_TRY(gs_had_memory(name_by_unit(&w, &field[FREQUENCY], GS_Q_CLOCK) &&
                             name_by_unit(&w, &field[TIME], GS_Q_TIME) &&
                             name_by_unit(&w, &field[POWER], GS_Q_POWER),
                         err));
    GS_TRY(gs_csv_fields_find(&t, field, N_FIELDS, err));
    if (w.per_s == 0)
        w.per_s = unit_of(t.header[field[TIME].column]);
    if (w.per_s == 0) {
        w.per_s = 1;
        gs_note(notes, GS_NOTE_INFO, "%s: '%s' names no unit and was read as seconds (--time-unit)",
                t.name, GS_SHOWN(t.header[field[TIME].column], 80));
    }
    struct gs_sweep_table result = {.run = gs_arena_take(arena, t.n_rows + 1, sizeof *result.run)};
    GS_TRY(gs_had_memory(result.run != NULL, err));
    GS_TRY(read_runs(&w, notes, &result, err));
    GS_TRY(note_mixes(&result, notes, err));
    *table = result;
    return GS_OK;
}
