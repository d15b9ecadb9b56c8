/* report_tables.c - the tables of the page: the worst rows first, the column that the section is about beside the name. */
#define _GNU_SOURCE /* memmem */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/text/escape.h"
#include "output/writers/render.h"
#include "app/report/report.h"
#include "base/num/order.h"

enum { COLUMNS_MAX = 14 };

/* How the page shows a table. The file holds all its columns, in key order. */
struct view {
    const char *stem;
    enum gs_column_id worst,
        otherwise; /* whose greatest come first; in its place where it has no values */
    bool by_size;  /* without its sign */
    enum gs_column_id columns[COLUMNS_MAX]; /* none: all of them */
    const char *unnamed; /* what a row without a name is; NULL: such a row has none        */
    const char *empty;   /* what an empty name is; NULL: such a row has none               */
};

/* clang-format off */
static const struct view views[] = {
    {.stem = "events", .worst = GS_COL_ENERGY_SUM_J, .otherwise = GS_COL_DURATION_MEAN_MS,
     .columns = {GS_COL_EVENT, GS_COL_DURATION_MEAN_MS, GS_COL_POWER_MEAN_W, GS_COL_ENERGY_SUM_J, GS_COL_ENERGY_LOW_J, GS_COL_ENERGY_HIGH_J, GS_COL_N, GS_COL_DURATION_P99_MS, GS_COL_POWER_TIME_W, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_TEMP_MEAN_C}},
    {.stem = "zoom",
     .columns = {GS_COL_LEVEL, GS_COL_DURATION_MEAN_MS, GS_COL_POWER_MEAN_W, GS_COL_N, GS_COL_DURATION_P99_MS, GS_COL_ENERGY_SUM_J, GS_COL_ENERGY_LOW_J, GS_COL_ENERGY_HIGH_J, GS_COL_POWER_TIME_W, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_TEMP_MEAN_C}},
    {.stem = "correlate",
     .columns = {GS_COL_METRIC, GS_COL_PEARSON_R, GS_COL_R_WITHIN, GS_COL_PEARSON_CI_LOW, GS_COL_PEARSON_CI_HIGH, GS_COL_N, GS_COL_P_VALUE, GS_COL_SPEARMAN_RHO, GS_COL_SLOPE, GS_COL_SLOPE_WITHIN, GS_COL_INTERCEPT, GS_COL_R_SQUARED}},
    {.stem = "gpus", .worst = GS_COL_TASK_MEAN_S, .otherwise = GS_COL_POWER_MEAN_W,
     .columns = {GS_COL_HOSTNAME, GS_COL_TASK_MEAN_S, GS_COL_POWER_MEAN_W, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_MEM_UTIL_MEAN_PCT, GS_COL_TEMP_MEAN_C, GS_COL_ENERGY_J, GS_COL_TASKS, GS_COL_SAMPLES, GS_COL_GPU_SERIAL, GS_COL_GPU_UUID}},
    {.stem = "gpu-verdicts", .worst = GS_COL_SM_CLOCK_DIFF_PCT, .otherwise = GS_COL_TEMP_DIFF_C, .by_size = true,
     .columns = {GS_COL_HOSTNAME, GS_COL_GPU_SERIAL, GS_COL_GPU_UUID, GS_COL_GPU_VERDICT, GS_COL_SM_CLOCK_DIFF_PCT, GS_COL_TEMP_DIFF_C, GS_COL_SLOW_TIME_PCT, GS_COL_SM_CLOCK_LOADED_MHZ, GS_COL_POWER_MEAN_W, GS_COL_TEMP_MEAN_C, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_ENERGY_J}},
    {.stem = "jobs", .worst = GS_COL_WASTED_GPU_H, .otherwise = GS_COL_ENERGY_J,
     .columns = {GS_COL_USER, GS_COL_JOB_ID, GS_COL_WASTED_GPU_H, GS_COL_IDLE_PCT, GS_COL_JOBS, GS_COL_GPU_H, GS_COL_ENERGY_J, GS_COL_ENERGY_LOW_J, GS_COL_ENERGY_HIGH_J, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_UNUSED_GPU_H, GS_COL_COST, GS_COL_ATTRIBUTION}},
    {.stem = "diff", .worst = GS_COL_CHANGE_PCT, .by_size = true,
     .columns = {GS_COL_EVENT, GS_COL_MEASURE, GS_COL_CHANGE_PCT, GS_COL_LOW_PCT, GS_COL_HIGH_PCT, GS_COL_VERDICT, GS_COL_A, GS_COL_B, GS_COL_MEASURE_UNIT, GS_COL_N_A, GS_COL_N_B, GS_COL_P_HOLM}},
    {.stem = "power", .worst = GS_COL_ENERGY_SENSOR_J, .otherwise = GS_COL_POWER_MEAN_W,
     .columns = {GS_COL_GPU, GS_COL_ENERGY_SENSOR_J, GS_COL_ENERGY_LOW_J, GS_COL_ENERGY_HIGH_J, GS_COL_POWER_MEAN_W, GS_COL_IDLE_S, GS_COL_IDLE_J, GS_COL_ACTIVE_S}},
    {.stem = "check",
     .columns = {GS_COL_FINDING, GS_COL_COUNT, GS_COL_SEVERITY, GS_COL_HINT, GS_COL_FIRST_PLACE}},
    {.stem = "bias", .worst = GS_COL_POWER_BIAS_W, .otherwise = GS_COL_GPU_UTIL_BIAS_PCT, .by_size = true,
     .columns = {GS_COL_EVENT, GS_COL_POWER_NEAREST_W, GS_COL_POWER_WINDOW_W, GS_COL_POWER_BIAS_W, GS_COL_GPU_UTIL_NEAREST_PCT, GS_COL_GPU_UTIL_WINDOW_PCT, GS_COL_MEM_UTIL_NEAREST_PCT, GS_COL_MEM_UTIL_WINDOW_PCT, GS_COL_NO_SAMPLE_PCT, GS_COL_N_SAMPLED, GS_COL_N}},
    {.stem = "events-window", .worst = GS_COL_ENERGY_SUM_J, .otherwise = GS_COL_DURATION_MEAN_MS,
     .columns = {GS_COL_EVENT, GS_COL_POWER_MEAN_W, GS_COL_ENERGY_SUM_J, GS_COL_ENERGY_LOW_J, GS_COL_ENERGY_HIGH_J, GS_COL_POWER_TIME_W, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_MEM_UTIL_MEAN_PCT, GS_COL_TEMP_MEAN_C, GS_COL_COVERAGE_PCT, GS_COL_N}},
    {.stem = "balance", .worst = GS_COL_ENERGY_J, .otherwise = GS_COL_TIME_S,
     .columns = {GS_COL_PART, GS_COL_ENERGY_PCT, GS_COL_ENERGY_J, GS_COL_ENERGY_LOW_J, GS_COL_ENERGY_HIGH_J, GS_COL_TIME_PCT, GS_COL_TIME_S, GS_COL_POWER_MEAN_W, GS_COL_STATE, GS_COL_INSIDE, GS_COL_UNSEEN_S}},
    {.stem = "timeline",
     .columns = {GS_COL_TIME, GS_COL_FLEET_POWER_W, GS_COL_TASKS_PER_S, GS_COL_ACTIVE_TASKS, GS_COL_FINISHED_TASKS, GS_COL_GPUS_SEEN, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_MEM_UTIL_MEAN_PCT, GS_COL_TEMP_MEAN_C, GS_COL_TEMP_MAX_C, GS_COL_ENERGY_J}},
    {.stem = "schedule", .worst = GS_COL_MAKESPAN_S,
     .columns = {GS_COL_JOB_ID, GS_COL_BUSY_PCT, GS_COL_MAKESPAN_S, GS_COL_TAIL_S, GS_COL_TAIL_LOST_GPU_H, GS_COL_GAP_LOST_GPU_H, GS_COL_TASKS, GS_COL_WORKERS, GS_COL_TASKS_PER_S}, .unnamed = "all jobs", .empty = "no job"},
    {.stem = "clusters",
     .columns = {GS_COL_CLUSTER, GS_COL_GPUS, GS_COL_TASK_MEDIAN_S, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_MEM_UTIL_MEAN_PCT, GS_COL_POWER_MEAN_W, GS_COL_TASK_MEAN_S, GS_COL_TASK_MIN_S, GS_COL_TASK_MAX_S, GS_COL_SILHOUETTE}},
    {.stem = "stragglers",
     .columns = {GS_COL_HOSTNAME, GS_COL_SLOWDOWN_PCT, GS_COL_VERDICT, GS_COL_COST_GPU_S, GS_COL_COST_WH, GS_COL_TASK_MEDIAN_S, GS_COL_Q_VALUE, GS_COL_TASKS, GS_COL_HOT_PCT, GS_COL_GPU_SERIAL, GS_COL_GPU_UUID}},
};
/* clang-format on */

static const struct view *view_of(const char *stem)
{
    static const struct view whole = {0};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (strcmp(views[i].stem, stem) == 0)
            return &views[i];
    return &whole;
}

struct place {
    double value; /* NaN: comes last */
    size_t row;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *const x = a, *const y = b;
    if (isnan(x->value) != isnan(y->value))
        return isnan(x->value) ? 1 : -1;
    if (x->value < y->value || x->value > y->value)
        return gs_cmp(y->value, x->value);
    return gs_cmp(x->row, y->row);
}

/* The column by which the table is ordered; -1: as it is. */
static int worst_of(const struct view *v, const struct gs_frame *f)
{
    const enum gs_column_id ids[] = {v->worst, v->otherwise};
    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
        size_t lo = 0, hi = 0;
        const int column = gs_frame_column(f, ids[k]);
        if (column >= 0 && gs_write_extremes(f, column, &lo, &hi))
            return column;
    }
    return -1;
}

static struct place *places_of(const struct view *v, const struct gs_frame *f, int worst,
                               struct gs_arena *scratch)
{
    struct place *const p = gs_arena_take_raw(scratch, f->n_rows, sizeof *p);
    for (size_t i = 0; p != NULL && i < f->n_rows; i++) {
        const double value = worst < 0 ? 0 : gs_write_value(f, i, worst);
        p[i] = (struct place){v->by_size ? fabs(value) : value, i};
    }
    if (p != NULL && worst >= 0)
        qsort(p, f->n_rows, sizeof *p, compare_places);
    return p;
}

static void copy_cell(struct gs_frame *to, size_t row, size_t column, const struct gs_frame *f,
                      size_t from_row, size_t from)
{
    const struct gs_column *const c = &f->columns[from];
    if (c->spec->type == GS_TYPE_TEXT)
        to->columns[column].text[row] = c->text[from_row];
    else if (c->spec->type == GS_TYPE_REAL)
        to->columns[column].real[row] = c->real[from_row];
    else
        to->columns[column].integer[row] = c->integer[from_row];
}

/* A column without any value in the rows shown says nothing there. */
static bool write_something(const struct gs_frame *f, size_t column, const struct place *place,
                            size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!gs_frame_is_missing(f, place[i].row, column))
            return true;
    return false;
}

static bool names_differ(const struct gs_frame *f, const struct place *place, size_t n)
{
    const struct gs_str *const name = f->columns[0].text;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (gs_str_eq(name[place[i].row], name[place[k].row]))
                return false;
    return true;
}

static size_t choose_columns(const struct view *v, const struct gs_frame *f,
                             const struct place *place, size_t n, size_t *chosen)
{
    size_t k = 0;
    /* GPUs have one name: a host of one GPU, else a serial, where there is none a UUID. */
    bool serial = v->columns[0] == GS_COL_HOSTNAME && names_differ(f, place, n);
    for (size_t i = 0; v->columns[0] == GS_COL_NONE && i < f->n_columns; i++)
        chosen[k++] = i;
    for (size_t i = 0; i < COLUMNS_MAX && v->columns[i] != GS_COL_NONE; i++) {
        const int at = gs_frame_column(f, v->columns[i]);
        if (at < 0 || (i > 0 && !write_something(f, (size_t)at, place, n)) ||
            (serial && (v->columns[i] == GS_COL_GPU_UUID || v->columns[i] == GS_COL_GPU_SERIAL)))
            continue;
        serial |= v->columns[i] == GS_COL_GPU_SERIAL;
        chosen[k++] = (size_t)at;
    }
    return k;
}

/* Rows of those in order, and the columns to be shown, as a frame of its own in `scratch`; NULL without memory. */
static struct gs_frame *shown_of(const struct view *v, const struct gs_frame *f,
                                 const struct place *place, size_t n, struct gs_arena *scratch)
{
    size_t *const chosen = gs_arena_take(scratch, f->n_columns + COLUMNS_MAX, sizeof *chosen);
    if (chosen == NULL)
        return NULL;
    const size_t n_columns = choose_columns(v, f, place, n, chosen);
    struct gs_column_spec *const specs = gs_arena_take(scratch, n_columns, sizeof *specs);
    struct gs_frame *shown;
    if (specs == NULL)
        return NULL;
    for (size_t k = 0; k < n_columns; k++)
        specs[k] = *f->columns[chosen[k]].spec;
    if (gs_frame_new(scratch, f->name, f->title, specs, n_columns, n, NULL, &shown, NULL) != GS_OK)
        return NULL;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_columns; k++)
            copy_cell(shown, i, k, f, place[i].row, chosen[k]);
    for (size_t i = 0; v->unnamed != NULL && i < n; i++) {
        if (gs_frame_is_missing(shown, i, 0))
            gs_frame_set_text(shown, i, 0, gs_str(v->unnamed));
        else if (v->empty != NULL && shown->columns[0].text[i].len == 0)
            gs_frame_set_text(shown, i, 0, gs_str(v->empty));
    }
    return shown;
}

/* "10 of 1,024 rows, from the greatest mean task (s) down; 10 of 14 columns." */
static void write_shown(struct gs_buf *b, const struct gs_frame *f, const struct gs_frame *shown,
                        size_t n, int worst, const struct view *v)
{
    if (n < f->n_rows) {
        gs_buf_text(b, worst < 0 ? "The first " : "");
        gs_write_number(b, (double)n, 0);
        gs_buf_text(b, " of ");
    }
    gs_write_number(b, (double)f->n_rows, 0);
    gs_buf_text(b, f->n_rows == 1 ? " row" : " rows");
    if (worst >= 0 && f->n_rows > 1) {
        const struct gs_column_spec *const spec = f->columns[worst].spec;
        gs_buf_text(b, v->by_size ? ", from the largest " : ", from the greatest ");
        gs_buf_text(b, spec->label != NULL ? spec->label : spec->name);
        if (spec->unit != NULL && spec->unit[0] != '\0')
            gs_buf_format(b, " (%s)", spec->unit);
        gs_buf_text(b, " down");
    }
    if (shown->n_columns < f->n_columns)
        gs_buf_format(b, "; %zu of %zu columns", shown->n_columns, f->n_columns);
    gs_buf_text(b, ". ");
}

/* Where the next of `what` begins; the end where there is none. */
static size_t find(struct gs_str s, const char *what)
{
    const size_t n = strlen(what);
    const char *const at = memmem(s.ptr, s.len, what, n);
    return at == NULL ? s.len : (size_t)(at - s.ptr);
}

/* Some rows of a table, in order. */
struct part {
    const struct gs_report_table *table;
    const struct place *place; /* [n] */
    size_t n;
    int worst;   /* the column of the order; below 0: none */
    double most; /* that a full bar stands for             */
    bool html;
};

/*
 * Copies the rows of a table's HTML with an id each, which links lead to, and the bars under the cells of a column. No
 * text of the data can hold a tag.
 */
static void append_rows(struct gs_buf *b, struct gs_str html, const struct part *p, int column)
{
    static const char row[] = "<tr><", cell[] = "<td class=\"n";
    size_t at = find(html, "<tbody>");
    gs_buf_bytes(b, html.ptr, at);
    for (size_t i = 0; at < html.len; i++) {
        struct gs_str rest = {html.ptr + at, html.len - at};
        size_t n = find(rest, row);
        gs_buf_bytes(b, rest.ptr, n);
        at += n;
        if (at == html.len)
            return;
        gs_buf_format(b, "<tr id=\"%s-%zu\"", p->table->stem, p->place[i].row + 1);
        at += strlen("<tr");
        const double share = fabs(p->place[i].value) / p->most;
        rest = (struct gs_str){html.ptr + at,
                               find((struct gs_str){html.ptr + at, html.len - at}, "</tr>")};
        n = 0;
        for (int c = 0; c <= column && n < rest.len; c++)
            n += 1 + find((struct gs_str){rest.ptr + n + 1, rest.len - n - 1}, "<t");
        if (column > 0 && share > 0 && share <= 1 &&
            find((struct gs_str){rest.ptr + n, rest.len - n}, cell) == 0) {
            n += strlen(cell);
            gs_buf_bytes(b, rest.ptr, n);
            gs_buf_format(b, " b\" style=\"--v:%.0f%%", 100 * share);
            at += n;
        }
    }
}

/* Answers the frame that was written; NULL without memory. */
static struct gs_frame *append_part(struct gs_buf *b, const struct part *p,
                                    struct gs_arena *scratch, struct gs_err *err)
{
    const struct gs_render_options o = {.fragment = true, .titles = true};
    const struct gs_frame *const f = p->table->frame;
    struct gs_buf text = {.arena = scratch};
    struct gs_frame *const shown = shown_of(view_of(p->table->stem), f, p->place, p->n, scratch);
    if (shown == NULL || gs_render(shown, p->html ? GS_FORMAT_HTML : GS_FORMAT_MARKDOWN, &o,
                                   gs_sink_buf(&text), err) != GS_OK)
        return NULL;
    if (p->html)
        append_rows(b, gs_buf_str(&text), p,
                    p->worst < 0 ? -1 : gs_frame_column(shown, f->columns[p->worst].spec->id));
    else
        gs_buf_bytes(b, text.ptr, text.len);
    return text.failed ? NULL : shown;
}

static size_t rows_shown(const struct gs_report *r, const struct gs_frame *f, size_t most)
{
    return r->opts->all ? f->n_rows : gs_min(f->n_rows, most);
}

bool gs_report_row_is_shown(const struct gs_report *r, const char *table, size_t row)
{
    for (int p = 0; p < GS_N_PARTS; p++)
        for (const struct gs_report_table *t = r->section[p].tables; t != NULL; t = t->next) {
            if (strcmp(t->stem, table) != 0 || row == 0 || row > t->frame->n_rows)
                continue;
            struct gs_arena scratch = {0};
            const struct view *const v = view_of(t->stem);
            const struct place *const place =
                places_of(v, t->frame, worst_of(v, t->frame), &scratch);
            bool shown = false;
            for (size_t i = 0; place != NULL && i < rows_shown(r, t->frame, GS_REPORT_ROWS_MAX);
                 i++)
                shown |= place[i].row == row - 1;
            gs_arena_release(&scratch);
            return shown;
        }
    return false;
}

void gs_report_table_rows(const struct gs_report *r, const struct gs_report_table *t,
                          struct gs_buf *b, bool html, struct gs_err *err)
{
    const struct view *const v = view_of(t->stem);
    const struct gs_frame *const f = t->frame;
    const size_t first = rows_shown(r, f, GS_REPORT_ROWS_SHOWN),
                 all = html ? rows_shown(r, f, GS_REPORT_ROWS_MAX) : first;
    struct gs_arena scratch = {0};
    const struct gs_frame *shown = NULL;
    const int worst = worst_of(v, f);
    const struct place *const place = places_of(v, f, worst, &scratch);
    struct part part = {t, place, first, worst, 0, html};
    b->failed |= place == NULL && f->n_rows > 0;
    if (f->n_rows == 0) { /* a head without a body says less */
        gs_buf_text(b, html ? "<p>" : "");
        if (html)
            gs_buf_html(b, gs_str(f->title));
        else
            gs_buf_markdown(b, gs_str(f->title));
        gs_buf_text(b, html ? ": none.</p>\n" : ": none.\n\n");
    } else if (place != NULL) {
        part.most = fabs(place[0].value);
        shown = append_part(b, &part, &scratch, err);
        b->failed |= shown == NULL;
    }
    if (all > first && !b->failed) {
        gs_buf_text(b, "<details>\n<summary>");
        gs_write_number(b, (double)(all - first), 0);
        gs_buf_text(b, " more rows</summary>\n");
        part.place += first;
        part.n = all - first;
        b->failed |= append_part(b, &part, &scratch, err) == NULL;
        gs_buf_text(b, "</details>\n");
    }
    if (html)
        gs_buf_text(b, "<p class=\"files\">");
    else if (f->n_rows > 0)
        gs_buf_char(b, '\n');
    if (shown != NULL)
        write_shown(b, f, shown, all, worst, v);
    if (html)
        gs_buf_format(b, "File: <a href=\"%s.csv\">%s.csv</a></p>\n", t->stem, t->stem);
    gs_arena_release(&scratch);
}
