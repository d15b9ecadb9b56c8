/* report_tables.c - the tables of the page: the worst rows first, the column that the section is about beside the name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/text/escape.h"
#include "output/writers/render.h"
#include "app/report/report.h"

enum { COLUMNS_MAX = 14 };

/* How the page shows a table. The file holds all its columns, in key order. */
struct view {
    const char *stem;
    const char *worst,
        *otherwise; /* the column whose greatest come first; the one in its place where it has no values */
    bool by_size;                     /* without its sign */
    const char *columns[COLUMNS_MAX]; /* NULL: all of them; "a|b": b where a says nothing */
    const char *unnamed; /* what a row without a name is; NULL: such a row has none        */
    const char *empty;   /* what an empty name is; NULL: such a row has none               */
};

/* clang-format off */
static const struct view views[] = {
    {.stem = "events", .worst = "energy_sum_j", .otherwise = "duration_mean_ms",
     .columns = {"event", "duration_mean_ms", "power_mean_w", "energy_sum_j", "energy_low_j", "energy_high_j", "n", "duration_p50_ms", "duration_p99_ms",
      "duration_max_ms", "power_time_w", "gpu_util_mean_pct", "temp_mean_c"}},
    {.stem = "zoom",
     .columns = {"level", "duration_mean_ms", "power_mean_w", "n", "duration_p50_ms", "duration_p99_ms", "duration_max_ms", "energy_sum_j", "energy_low_j",
      "energy_high_j", "power_time_w", "gpu_util_mean_pct", "temp_mean_c"}},
    {.stem = "correlate",
     .columns = {"metric", "pearson_r", "r_within", "pearson_ci_low", "pearson_ci_high", "n", "p_value", "spearman_rho", "slope", "slope_within", "intercept",
      "r_squared"}},
    {.stem = "gpus", .worst = "task_mean_s", .otherwise = "power_mean_w",
     .columns = {"hostname", "task_mean_s", "power_mean_w", "gpu_util_mean_pct", "mem_util_mean_pct", "temp_mean_c", "energy_j", "tasks", "samples",
      "gpu_serial|gpu_uuid"}},
    {.stem = "power", .worst = "energy_sensor_j", .otherwise = "power_mean_w",
     .columns = {"gpu", "energy_sensor_j", "energy_low_j", "energy_high_j", "power_mean_w", "idle_s", "idle_j", "active_s", "active_j"}},
    {.stem = "check",
     .columns = {"finding", "count", "severity", "hint", "first_place"}},
    {.stem = "bias", .worst = "power_bias_w", .otherwise = "gpu_util_bias_pct", .by_size = true,
     .columns = {"event", "power_nearest_w", "power_window_w", "power_bias_w", "gpu_util_nearest_pct", "gpu_util_window_pct", "mem_util_nearest_pct",
      "mem_util_window_pct", "no_sample_pct", "n_sampled", "n"}},
    {.stem = "events-window", .worst = "energy_sum_j", .otherwise = "duration_mean_ms",
     .columns = {"event", "power_mean_w", "energy_sum_j", "energy_low_j", "energy_high_j", "energy_mean_j", "power_time_w", "gpu_util_mean_pct",
      "mem_util_mean_pct", "temp_mean_c", "coverage_pct", "n"}},
    {.stem = "balance", .worst = "energy_j", .otherwise = "time_s",
     .columns = {"part", "energy_pct", "energy_j", "energy_low_j", "energy_high_j", "time_pct", "time_s", "power_mean_w", "state", "inside", "unseen_s"}},
    {.stem = "timeline", .worst = "fleet_power_w", .otherwise = "active_tasks",
     .columns = {"time", "fleet_power_w", "tasks_per_s", "active_tasks", "finished_tasks", "gpus_seen", "gpu_util_mean_pct", "mem_util_mean_pct",
      "temp_mean_c", "temp_max_c", "energy_j"}},
    {.stem = "schedule", .worst = "makespan_s",
     .columns = {"job_id", "busy_pct", "makespan_s", "tail_s", "tail_lost_gpu_h", "gap_lost_gpu_h", "tasks", "workers", "tasks_per_s"}, .unnamed = "all jobs", .empty = "no job"},
    {.stem = "clusters",
     .columns = {"cluster", "gpus", "task_median_s", "gpu_util_mean_pct", "mem_util_mean_pct", "power_mean_w", "task_mean_s", "task_min_s", "task_max_s",
      "silhouette"}},
    {.stem = "stragglers",
     .columns = {"hostname", "slowdown_pct", "verdict", "cost_gpu_s", "cost_wh", "task_median_s", "q_value", "tasks", "hot_pct",
      "gpu_serial|gpu_uuid"}},
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
        return x->value < y->value ? 1 : -1;
    return (x->row > y->row) - (x->row < y->row);
}

/* The column by which the table is ordered; -1: as it is. */
static int worst_of(const struct view *v, const struct gs_frame *f)
{
    const char *const names[] = {v->worst, v->otherwise};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        size_t lo = 0, hi = 0;
        const int column = names[k] == NULL ? -1 : gs_frame_find(f, names[k]);
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

/* The first of the names that has something to say, -1 for none. `needed`: even if it has not. */
static int choose(const struct gs_frame *f, const char *names, bool needed,
                  const struct place *place, size_t n)
{
    while (*names != '\0') {
        char name[64] = {0};
        const size_t len = strcspn(names, "|");
        memcpy(name, names, len < sizeof name ? len : 0);
        const int at = gs_frame_find(f, name);
        if (at >= 0 && (needed || write_something(f, (size_t)at, place, n)))
            return at;
        names += names[len] == '|' ? len + 1 : len;
    }
    return -1;
}

static size_t choose_columns(const struct view *v, const struct gs_frame *f,
                             const struct place *place, size_t n, size_t *chosen)
{
    size_t k = 0;
    for (size_t i = 0; v->columns[0] == NULL && i < f->n_columns; i++)
        chosen[k++] = i;
    for (size_t i = 0; i < COLUMNS_MAX && v->columns[i] != NULL; i++) {
        const int at = choose(f, v->columns[i], i == 0, place, n);
        if (at >= 0)
            chosen[k++] = (size_t)at;
    }
    return k;
}

/* The rows and columns to be shown, as a frame of its own in `scratch`; NULL without memory. */
static struct gs_frame *shown_of(const struct view *v, const struct gs_frame *f, int worst,
                                 size_t n, struct gs_arena *scratch)
{
    const struct place *const place = places_of(v, f, worst, scratch);
    size_t *const chosen = gs_arena_take(scratch, f->n_columns + COLUMNS_MAX, sizeof *chosen);
    if (place == NULL || chosen == NULL)
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

/* "20 of 1,024 rows, from the greatest mean task (s) down; 10 of 14 columns." */
static void write_shown(struct gs_buf *b, const struct gs_frame *f, const struct gs_frame *shown,
                        int worst, const struct view *v)
{
    if (shown->n_rows < f->n_rows) {
        gs_buf_text(b, worst < 0 ? "The first " : "");
        gs_write_number(b, (double)shown->n_rows, 0);
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

void gs_report_table_rows(const struct gs_report *r, const struct gs_report_table *t,
                          struct gs_buf *b, bool html, struct gs_err *err)
{
    const struct view *const v = view_of(t->stem);
    const struct gs_frame *const f = t->frame;
    const struct gs_render_options o = {.fragment = true, .titles = true};
    const size_t most = r->opts->all ? SIZE_MAX : GS_REPORT_ROWS_SHOWN,
                 n = f->n_rows < most ? f->n_rows : most;
    struct gs_arena scratch = {0};
    if (f->n_rows == 0) { /* a head without a body says less */
        gs_buf_text(b, html ? "<p>" : "");
        if (html)
            gs_buf_html(b, gs_str(f->title));
        else
            gs_buf_markdown(b, gs_str(f->title));
        gs_buf_text(b, html ? ": none.</p>\n<p class=\"files\">" : ": none.\n\n");
        return;
    }
    const int worst = worst_of(v, f);
    struct gs_frame *const shown = shown_of(v, f, worst, n, &scratch);
    if (shown == NULL || gs_render(shown, html ? GS_FORMAT_HTML : GS_FORMAT_MARKDOWN, &o,
                                   gs_sink_buf(b), err) != GS_OK)
        b->failed = true;
    gs_buf_text(b, html ? "<p class=\"files\">" : "\n");
    if (shown != NULL)
        write_shown(b, f, shown, worst, v);
    gs_arena_release(&scratch);
}
