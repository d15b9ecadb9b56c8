/* report_tables.c - the tables of the page: the worst rows first, the column that the section is about beside the name. */
#include <math.h>
#include <string.h>

#include "output/escape/escape.h"
#include "output/writers/render.h"
#include "app/options/view.h"
#include "app/report/report.h"
#include "base/num/order.h"

enum { COLUMNS_MAX = 14, NAME_COLUMNS = 64 };

/* How the page shows a table. The file holds all its columns, in key order. */
struct view {
    const char *stem;
    /* whose greatest come first; in its place where it has no values */
    enum gs_column_id worst, otherwise;
    bool by_size;                           /* without its sign */
    enum gs_column_id columns[COLUMNS_MAX]; /* none: all; energies with their ± */
    /* rows that are not `calm` here come first; where all are, the table folds away */
    enum gs_column_id judged;
    const char *calm;
    const char *first; /* the rows that are not calm, in words */
};

/* clang-format off */
static const struct view views[] = {
    {.stem = "events", .worst = GS_COL_ENERGY_SUM_J, .otherwise = GS_COL_DURATION_MEAN_MS,
     .columns = {GS_COL_EVENT, GS_COL_DURATION_MEAN_MS, GS_COL_POWER_MEAN_W, GS_COL_ENERGY_SUM_J, GS_COL_ENERGY_DIVIDED_J, GS_COL_N, GS_COL_DURATION_P99_MS, GS_COL_POWER_TIME_W, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_TEMP_MEAN_C}},
    {.stem = "zoom",
     .columns = {GS_COL_LEVEL, GS_COL_DURATION_MEAN_MS, GS_COL_POWER_MEAN_W, GS_COL_N, GS_COL_DURATION_P99_MS, GS_COL_ENERGY_SUM_J, GS_COL_POWER_TIME_W, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_TEMP_MEAN_C}},
    {.stem = "correlate",
     .columns = {GS_COL_METRIC, GS_COL_PEARSON_R, GS_COL_R_WITHIN, GS_COL_PEARSON_CI_LOW, GS_COL_PEARSON_CI_HIGH, GS_COL_N, GS_COL_P_HOLM, GS_COL_R_WITHIN_P_HOLM, GS_COL_SPEARMAN_RHO, GS_COL_SLOPE, GS_COL_INTERCEPT}},
    {.stem = "gpus", .worst = GS_COL_TASK_MEAN_S, .otherwise = GS_COL_POWER_MEAN_W,
     .columns = {GS_COL_HOSTNAME, GS_COL_GPU_SERIAL, GS_COL_GPU_UUID, GS_COL_TASK_MEAN_S, GS_COL_POWER_MEAN_W, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_MEM_UTIL_MEAN_PCT, GS_COL_TEMP_MEAN_C, GS_COL_ENERGY_J, GS_COL_TASKS, GS_COL_SAMPLES}},
    {.stem = "gpu-verdicts", .worst = GS_COL_SM_CLOCK_DIFF_PCT, .otherwise = GS_COL_TEMP_DIFF_C, .by_size = true,
     .columns = {GS_COL_HOSTNAME, GS_COL_GPU_SERIAL, GS_COL_GPU_UUID, GS_COL_GPU_VERDICT, GS_COL_SM_CLOCK_DIFF_PCT, GS_COL_TEMP_DIFF_C, GS_COL_SLOW_TIME_PCT, GS_COL_SLOW_SINCE, GS_COL_SM_CLOCK_LOADED_MHZ, GS_COL_POWER_MEAN_W, GS_COL_TEMP_MEAN_C, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_ENERGY_J}, .judged = GS_COL_GPU_VERDICT, .calm = "ok", .first = "those not ok or not compared"},
    {.stem = "jobs", .worst = GS_COL_WASTED_LOW_GPU_H, .otherwise = GS_COL_ENERGY_J,
     .columns = {GS_COL_USER, GS_COL_JOB_ID, GS_COL_WASTED_GPU_H, GS_COL_WASTED_ENERGY_J, GS_COL_WASTED_COST, GS_COL_IDLE_PCT, GS_COL_JOBS, GS_COL_GPU_H, GS_COL_ENERGY_J, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_UNUSED_GPU_H, GS_COL_COST, GS_COL_ATTRIBUTION}},
    {.stem = "allocations", .worst = GS_COL_WASTED_LOW_GPU_H, .otherwise = GS_COL_ENERGY_J,
     .columns = {GS_COL_JOB, GS_COL_USER, GS_COL_NAME, GS_COL_WASTED_GPU_H, GS_COL_WASTED_ENERGY_J, GS_COL_WASTED_COST, GS_COL_IDLE_PCT, GS_COL_GPU_H, GS_COL_ENERGY_J, GS_COL_START, GS_COL_STATE, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_COST, GS_COL_ATTRIBUTION}},
    {.stem = "diff", .worst = GS_COL_CHANGE_PCT, .by_size = true,
     .columns = {GS_COL_EVENT, GS_COL_MEASURE, GS_COL_CHANGE_PCT, GS_COL_LOW_PCT, GS_COL_HIGH_PCT, GS_COL_VERDICT, GS_COL_A, GS_COL_B, GS_COL_MEASURE_UNIT, GS_COL_N_A, GS_COL_N_B, GS_COL_P_HOLM}},
    {.stem = "power", .worst = GS_COL_ENERGY_SENSOR_J, .otherwise = GS_COL_POWER_MEAN_W,
     .columns = {GS_COL_GPU, GS_COL_ENERGY_SENSOR_J, GS_COL_POWER_MEAN_W, GS_COL_IDLE_S, GS_COL_IDLE_J, GS_COL_ACTIVE_S}},
    {.stem = "check",
     .columns = {GS_COL_FINDING, GS_COL_COUNT, GS_COL_SEVERITY, GS_COL_HINT, GS_COL_FIRST_PLACE}, .judged = GS_COL_SEVERITY, .calm = "info", .first = "errors and warnings"},
    {.stem = "bias", .worst = GS_COL_POWER_BIAS_W, .otherwise = GS_COL_GPU_UTIL_BIAS_PCT, .by_size = true,
     .columns = {GS_COL_EVENT, GS_COL_POWER_NEAREST_W, GS_COL_POWER_WINDOW_W, GS_COL_POWER_BIAS_W, GS_COL_GPU_UTIL_NEAREST_PCT, GS_COL_GPU_UTIL_WINDOW_PCT, GS_COL_MEM_UTIL_NEAREST_PCT, GS_COL_MEM_UTIL_WINDOW_PCT, GS_COL_NO_SAMPLE_PCT, GS_COL_N_SAMPLED, GS_COL_N}},
    {.stem = "events-window", .worst = GS_COL_ENERGY_SUM_J, .otherwise = GS_COL_DURATION_MEAN_MS,
     .columns = {GS_COL_EVENT, GS_COL_POWER_MEAN_W, GS_COL_ENERGY_SUM_J, GS_COL_POWER_TIME_W, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_MEM_UTIL_MEAN_PCT, GS_COL_TEMP_MEAN_C, GS_COL_COVERAGE_PCT, GS_COL_N}},
    {.stem = "balance", .worst = GS_COL_ENERGY_J, .otherwise = GS_COL_TIME_S,
     .columns = {GS_COL_PART, GS_COL_ENERGY_PCT, GS_COL_ENERGY_J, GS_COL_TIME_PCT, GS_COL_TIME_S, GS_COL_POWER_MEAN_W, GS_COL_STATE, GS_COL_INSIDE, GS_COL_UNSEEN_S}},
    {.stem = "timeline",
     .columns = {GS_COL_TIME, GS_COL_FLEET_POWER_W, GS_COL_TASKS_PER_S, GS_COL_ACTIVE_TASKS, GS_COL_FINISHED_TASKS, GS_COL_GPUS_SEEN, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_MEM_UTIL_MEAN_PCT, GS_COL_TEMP_MEAN_C, GS_COL_TEMP_MAX_C, GS_COL_ENERGY_J}},
    {.stem = "schedule", .worst = GS_COL_MAKESPAN_S,
     .columns = {GS_COL_JOB_ID, GS_COL_BUSY_PCT, GS_COL_MAKESPAN_S, GS_COL_TAIL_S, GS_COL_TAIL_LOST_GPU_H, GS_COL_GAP_LOST_GPU_H, GS_COL_TASKS, GS_COL_WORKERS, GS_COL_TASKS_PER_S}},
    {.stem = "clusters",
     .columns = {GS_COL_CLUSTER, GS_COL_GPUS, GS_COL_TASK_MEDIAN_S, GS_COL_GPU_UTIL_MEAN_PCT, GS_COL_MEM_UTIL_MEAN_PCT, GS_COL_POWER_MEAN_W, GS_COL_TASK_MEAN_S, GS_COL_TASK_MIN_S, GS_COL_TASK_MAX_S, GS_COL_SILHOUETTE}},
    {.stem = "stragglers",
     .columns = {GS_COL_HOSTNAME, GS_COL_GPU_SERIAL, GS_COL_GPU_UUID, GS_COL_SLOWDOWN_PCT, GS_COL_VERDICT, GS_COL_COST_GPU_S, GS_COL_COST_WH, GS_COL_TASK_MEDIAN_S, GS_COL_Q_VALUE, GS_COL_TASKS, GS_COL_HOT_PCT}},
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

enum rank { RANK_BAD, RANK_NOT_JUDGED, RANK_CALM };

struct place {
    enum rank rank;
    double value; /* NaN: comes last */
    size_t row;
};

GS_COMPARES(compare_places, struct place,
            GS_BY(rank) GS_DIFFER((isnan(x->value) != 0) - (isnan(y->value) != 0));
            GS_DOWN(value) GS_BY(row));

/* The column by which the table is ordered; none: as it is. */
static enum gs_column_id worst_of(const struct view *v, const struct gs_frame *f)
{
    const enum gs_column_id ids[] = {v->worst, v->otherwise};
    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
        size_t lo = 0, hi = 0;
        if (gs_cell_extremes(f, ids[k], &lo, &hi))
            return ids[k];
    }
    return GS_COL_NONE;
}

static enum rank rank_of(const struct view *v, const struct gs_frame *f, size_t row)
{
    const int judged = v->calm == NULL ? -1 : gs_frame_column(f, v->judged);
    if (judged < 0)
        return RANK_CALM;
    if (gs_frame_is_missing(f, row, (size_t)judged))
        return RANK_NOT_JUDGED;
    return gs_str_eq(f->columns[judged].text[row], gs_str(v->calm)) ? RANK_CALM : RANK_BAD;
}

static struct place *places_of(const struct view *v, const struct gs_frame *f,
                               enum gs_column_id worst, struct gs_arena *scratch)
{
    struct place *const p = gs_arena_take_raw(scratch, f->n_rows, sizeof *p);
    for (size_t i = 0; p != NULL && i < f->n_rows; i++) {
        p[i] = (struct place){rank_of(v, f, i), 0, i};
        if (worst != GS_COL_NONE)
            p[i].value = gs_cell_value(f, i, worst);
        if (v->by_size)
            p[i].value = fabs(p[i].value);
    }
    GS_SORT(p, f->n_rows, compare_places);
    return p;
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

/* Do all rows hold this text, or none any? ptr == NULL: that of the first which has one. */
static bool holds_only(const struct gs_frame *f, size_t column, struct gs_str text)
{
    for (size_t i = 0; i < f->n_rows; i++) {
        if (gs_frame_is_missing(f, i, column) != gs_frame_is_missing(f, 0, column))
            return false;
        if (gs_frame_is_missing(f, i, column))
            continue;
        if (text.ptr == NULL)
            text = f->columns[column].text[i];
        if (!gs_str_eq(f->columns[column].text[i], text))
            return false;
    }
    return true;
}

/* A word that is the same in every row, or noughts alone, do not tell rows apart. */
static bool tells_rows_apart(const struct gs_frame *f, enum gs_column_id id)
{
    size_t lo = 0, hi = 0;
    const int column = gs_frame_column(f, id);
    if (column < 0 || f->n_rows < 2)
        return column >= 0;
    if (f->columns[column].spec->type == GS_TYPE_TEXT)
        return !holds_only(f, (size_t)column, (struct gs_str){0});
    return !gs_cell_extremes(f, id, &lo, &hi) || gs_cell_value(f, lo, id) != 0 ||
           gs_cell_value(f, hi, id) != 0;
}

/* The columns of the view that say something; how many. */
static size_t choose_columns(const struct view *v, const struct gs_frame *f,
                             enum gs_column_id columns[COLUMNS_MAX])
{
    size_t n = 0;
    for (size_t k = 0; k < COLUMNS_MAX && v->columns[k] != GS_COL_NONE; k++)
        if (tells_rows_apart(f, v->columns[k]))
            columns[n++] = v->columns[k];
    return n;
}

/*
 * A GPU has one name: its host where that has no other, else its serial, where there is none its UUID. Columns that
 * are not copied hold no value and are not shown.
 */
static bool is_second_name(const struct view *v, const struct gs_frame *f, size_t column,
                           bool names_alone)
{
    const int serial = gs_frame_column(f, GS_COL_GPU_SERIAL);
    const enum gs_column_id id = f->columns[column].spec->id;
    if (v->columns[0] != GS_COL_HOSTNAME)
        return false;
    return (id == GS_COL_GPU_SERIAL && names_alone) ||
           (id == GS_COL_GPU_UUID &&
            (names_alone || (serial >= 0 && !gs_frame_is_missing(f, 0, (size_t)serial))));
}

/* Those rows in their order, as a frame of its own in `scratch`; NULL without memory. */
static struct gs_frame *rows_of(const struct view *v, const struct gs_frame *f,
                                const struct place *place, size_t n, bool one_gpu,
                                struct gs_arena *scratch)
{
    struct gs_column_spec *const specs = gs_arena_take(scratch, f->n_columns, sizeof *specs);
    struct gs_frame *rows;
    for (size_t k = 0; specs != NULL && k < f->n_columns; k++)
        specs[k] = *f->columns[k].spec;
    if (specs == NULL || gs_frame_new(scratch, GS_HEAD(f->name, f->title, specs, f->n_columns), n,
                                      NULL, &rows, NULL) != GS_OK)
        return NULL;
    rows->order = f->order;
    const bool alone = one_gpu && v->columns[0] == GS_COL_HOSTNAME && names_differ(f, place, n);
    for (size_t k = 0; k < f->n_columns; k++)
        for (size_t i = 0; i < n && !is_second_name(v, f, k, alone); i++)
            gs_frame_copy_cells(&rows->columns[k], i, &f->columns[k], place[i].row, 1);
    for (size_t i = 0; f->columns[0].spec->type == GS_TYPE_TEXT && i < n; i++) {
        struct gs_buf brief = {.arena = scratch};
        gs_write_brief(&brief, rows->columns[0].text[i], NAME_COLUMNS);
        if (rows->columns[0].text[i].len > NAME_COLUMNS && !brief.failed)
            gs_frame_set_text(rows, i, 0, gs_buf_str(&brief));
    }
    return rows;
}

/* "10 of 1,024 rows, from the greatest mean task (s) down; 10 of 14 columns." */
static void write_shown(struct gs_buf *b, const struct gs_frame *f, const struct gs_frame *shown,
                        const struct place *place, size_t n, enum gs_column_id worst,
                        const struct view *v)
{
    if (n > 0 && n < f->n_rows) {
        gs_buf_text_if(b, worst == GS_COL_NONE, "The first ");
        gs_write_number(b, (double)n, 0);
        gs_buf_text(b, " of ");
    }
    gs_write_number(b, (double)f->n_rows, 0);
    gs_buf_text(b, gs_plural(f->n_rows, " row", " rows"));
    const bool by_rank = f->n_rows > 1 && place[0].rank != place[f->n_rows - 1].rank;
    if (by_rank)
        gs_buf_format(b, ", %s first", v->first);
    if (worst != GS_COL_NONE && f->n_rows > 1) {
        const struct gs_column_spec *spec = gs_frame_cells(f, worst)->spec;
        const int at = gs_frame_column(shown, worst);
        if (at >= 0)
            spec = shown->columns[at].spec;
        gs_buf_format(b, ", %sfrom the %s %s", gs_text_if(by_rank, "then "),
                      v->by_size ? "largest" : "greatest", gs_column_title(spec));
        if (spec->unit != NULL && spec->unit[0] != '\0')
            gs_buf_format(b, " (%s)", spec->unit);
        gs_buf_text(b, " down");
    }
    if (shown->n_columns < f->n_columns)
        gs_buf_format(b, "; %zu of %zu columns", shown->n_columns, f->n_columns);
    gs_buf_text(b, ". ");
}

/* Some rows of a table, in order. */
struct part {
    const struct gs_report_table *table;
    const struct gs_frame *view; /* of all that are shown */
    const struct place *place;   /* of all that are shown */
    size_t first, n;
    int worst;   /* the column of the view by which they are ordered; below 0: none */
    double most; /* that a full bar stands for                                      */
    bool html;
};

/*
 * Copies the rows of a table's HTML with an id each, which links lead to, and the bars under the cells of a column. No
 * text of the data can hold a tag.
 */
static void append_rows(struct gs_buf *b, struct gs_str html, const struct part *p)
{
    static const char row[] = "<tr><", cell[] = "<td class=\"n";
    size_t at = gs_str_find(html, "<tbody>");
    gs_buf_bytes(b, html.ptr, at);
    for (size_t i = 0; at < html.len; i++) {
        struct gs_str rest = {html.ptr + at, html.len - at};
        size_t n = gs_str_find(rest, row);
        gs_buf_bytes(b, rest.ptr, n);
        at += n;
        if (at == html.len)
            return;
        gs_buf_format(b, "<tr id=\"%s-%zu\"", p->table->stem, p->place[p->first + i].row + 1);
        at += strlen("<tr");
        const double share = fabs(p->place[p->first + i].value) / p->most;
        rest = (struct gs_str){html.ptr + at, gs_str_find(gs_str_after(html, at), "</tr>")};
        n = 0;
        for (int c = 0; c <= p->worst && n < rest.len; c++)
            n += 1 + gs_str_find(gs_str_after(rest, n + 1), "<t");
        if (p->worst > 0 && share > 0 && share <= 1 && gs_str_begins(gs_str_after(rest, n), cell)) {
            n += strlen(cell);
            gs_buf_bytes(b, rest.ptr, n);
            gs_buf_format(b, " b\" style=\"--v:%.0f%%", 100 * share);
            at += n;
        }
    }
}

static enum gs_status append_part(struct gs_buf *b, const struct part *p, struct gs_arena *scratch,
                                  struct gs_err *err)
{
    const struct gs_render_options o = {.fragment = true, .titles = true};
    struct gs_frame rows;
    struct gs_buf text = {.arena = scratch};
    enum gs_status s = gs_frame_part(p->view, p->first, p->n, scratch, &rows, err);
    GS_THEN(s, gs_render(&rows, p->html ? GS_FORMAT_HTML : GS_FORMAT_MARKDOWN, &o,
                         gs_sink_buf(&text), err));
    GS_TRY(gs_had_memory(s == GS_OK && !text.failed, err));
    if (p->html)
        append_rows(b, gs_buf_str(&text), p);
    else
        gs_buf_bytes(b, text.ptr, text.len);
    return GS_OK;
}

static size_t rows_shown(const struct gs_report *r, const struct gs_frame *f, size_t most)
{
    return r->opts->all ? f->n_rows : gs_min(f->n_rows, most);
}

/* How many stand in sight: the others fold away. */
static size_t rows_in_sight(const struct gs_report *r, const struct view *v,
                            const struct gs_frame *f)
{
    const int judged = v->calm == NULL ? -1 : gs_frame_column(f, v->judged);
    if (judged >= 0 && f->n_rows > 1 && !r->opts->all &&
        holds_only(f, (size_t)judged, gs_str(v->calm)))
        return 0;
    return rows_shown(r, f, GS_REPORT_ROWS_SHOWN);
}

bool gs_report_row_is_shown(const struct gs_report *r, const char *table, size_t row)
{
    for (int p = 0; p < GS_N_PARTS; p++)
        for (const struct gs_report_table *t = r->section[p].tables; t != NULL; t = t->next) {
            if (strcmp(t->stem, table) != 0 || row == 0 || row > t->frame->n_rows)
                continue;
            GS_OWN struct gs_arena scratch = {0};
            const struct view *const v = view_of(t->stem);
            const struct place *const place =
                places_of(v, t->frame, worst_of(v, t->frame), &scratch);
            bool shown = false;
            for (size_t i = 0; place != NULL && i < rows_shown(r, t->frame, GS_REPORT_ROWS_MAX);
                 i++)
                shown |= place[i].row == row - 1;
            return shown;
        }
    return false;
}

void gs_report_table_rows(const struct gs_report *r, const struct gs_report_table *t,
                          struct gs_buf *b, bool html, struct gs_err *err)
{
    const struct view *const v = view_of(t->stem);
    const struct gs_frame *const f = t->frame;
    const size_t first = rows_in_sight(r, v, f),
                 all = html ? rows_shown(r, f, GS_REPORT_ROWS_MAX) : first;
    GS_OWN struct gs_arena scratch = {0};
    struct gs_frame view = {0};
    const enum gs_column_id worst = worst_of(v, f);
    const struct place *const place = places_of(v, f, worst, &scratch);
    struct gs_frame *rows = NULL;
    enum gs_column_id columns[COLUMNS_MAX];
    const size_t n_columns = choose_columns(v, f, columns);
    if (place != NULL)
        rows =
            rows_of(v, f, place, all,
                    gs_report_quantity(r, "gpus") <= gs_report_quantity(r, "hostnames"), &scratch);
    b->failed |= f->n_rows > 0 && (rows == NULL || gs_view_columns(rows, columns, n_columns,
                                                                   &scratch, &view, err) != GS_OK);
    view.zone = &r->opts->run.dataset.zone;
    struct part part = {t, &view, place, 0, first, -1, 0, html};
    if (f->n_rows == 0) { /* a head without a body says less */
        if (html) {
            gs_buf_text(b, "<p>");
            gs_buf_html(b, gs_str(f->title));
            gs_buf_text(b, ": none.</p>\n");
        } else {
            gs_buf_markdown(b, gs_str(f->title));
            gs_buf_text(b, ": none.\n\n");
        }
    } else if (!b->failed) {
        part.worst = gs_frame_column(&view, worst);
        for (size_t i = 0; i < f->n_rows; i++)
            part.most = fmax(part.most, fabs(place[i].value));
        b->failed |= first > 0 && append_part(b, &part, &scratch, err) != GS_OK;
    }
    if (all > first && !b->failed) {
        gs_buf_text(b, "<details>\n<summary>");
        if (first == 0) {
            gs_buf_html(b, gs_str(f->title));
            gs_buf_text(b, ": ");
        }
        gs_buf_format(b, "%s %s%s</summary>\n", gs_number_text(b, (double)(all - first), 0),
                      first > 0 ? "more " : "", gs_plural(all - first, "row", "rows"));
        part.first = first;
        part.n = all - first;
        b->failed |= append_part(b, &part, &scratch, err) != GS_OK;
        gs_buf_text_if(b, first > 0, "</details>\n");
    }
    if (html)
        gs_buf_text(b, "<p class=\"files\">");
    else if (f->n_rows > 0)
        gs_buf_char(b, '\n');
    if (f->n_rows > 0 && !b->failed)
        write_shown(b, f, &view, place, all, worst, v);
    if (html)
        gs_buf_format(b, "File: <a href=\"%s.csv\">%s.csv</a></p>\n%s", t->stem, t->stem,
                      gs_text_if(all > first && first == 0, "</details>\n"));
}
