/* report_multiples.c - a small picture of each GPU of a host or job: power, clock and temperature on one axis. */
#include <string.h>

#include "app/report/report_folds.h"
#include "base/num/order.h"
#include "base/num/whole.h"

enum { GPUS_MIN = 2, GPUS_MAX = 16, POINTS = 150 }; /* points: of a line, about */

static const enum gs_load load_of[] = {GS_LOAD_POWER, GS_LOAD_CLOCK, GS_LOAD_TEMP};
static const char *const load_words[] = {"power", "SM clock", "temperature", NULL};
enum { LOADS = sizeof load_of / sizeof *load_of };

static const struct gs_column_spec columns[] = {
    GS_COL(GPU),
    GS_COL(TIME, .how = "the begin of a stretch of time"),
    GS_COL(METRIC, .how = "power, SM clock or temperature"),
    GS_COL(SHARE_PCT, .how = "its mean there, in per cent of the highest of these GPUs"),
};

/* Some neighbouring cells of a GPU, added up. */
struct stretch {
    int64_t at;
    int64_t sum[GS_N_LOADS];
    uint32_t n[GS_N_LOADS];
};

/* What is made of the cells: nothing at first but their highest means and their number, then rows. */
struct multiples {
    const struct gs_records *loads;
    struct gs_frame *frame; /* NULL: they are counted */
    size_t n_rows;
    double highest[LOADS];
};

static void end_stretch(struct multiples *m, const struct stretch *x, struct gs_str name,
                        int64_t width_ns)
{
    for (size_t k = 0; k < LOADS; k++) {
        if (x->n[load_of[k]] == 0)
            continue;
        const double mean = (double)x->sum[load_of[k]] / x->n[load_of[k]];
        if (m->frame == NULL) {
            m->highest[k] = gs_max(mean, m->highest[k]);
        } else if (m->highest[k] > 0) {
            GS_PUT(m->frame, m->n_rows, GS_TEXT(GPU, name), GS_INT(TIME, x->at * width_ns),
                   GS_TEXT(METRIC, gs_str(load_words[k])),
                   GS_REAL(SHARE_PCT, 100 * mean / m->highest[k]));
        }
        m->n_rows += m->frame == NULL || m->highest[k] > 0;
    }
}

static enum gs_status read_series(struct multiples *m, size_t i, struct gs_str name,
                                  struct gs_err *err)
{
    struct gs_load_series s;
    struct gs_load_cell cell;
    struct stretch x = {.at = INT64_MIN};
    GS_TRY(gs_load_open(m->loads, i, &s, err));
    const int64_t by = 1 + s.n_cells / POINTS, width_ns = by * gs_grid_width(s.doublings);
    while (gs_load_next(&s, &cell)) {
        const int64_t at = gs_floor_div(cell.at, by);
        if (at != x.at) {
            end_stretch(m, &x, name, width_ns);
            x = (struct stretch){.at = at};
        }
        for (int k = 0; k < GS_N_LOADS; k++) {
            x.sum[k] += cell.sum[k];
            x.n[k] += cell.n[k];
        }
    }
    end_stretch(m, &x, name, width_ns);
    return s.cells.status;
}

/* Reads the series of every GPU in the order of the fleet. */
static enum gs_status read_all(struct multiples *m, const struct gs_gpu_list *fleet,
                               const struct gs_str *name, struct gs_err *err)
{
    enum gs_status status = GS_OK;
    m->n_rows = 0;
    for (uint32_t g = 0; g < fleet->n_gpus; g++)
        for (size_t i = 0; i < m->loads->n && status == GS_OK; i++) {
            const struct gs_gpu_name *const gpu = &fleet->gpu[g];
            const union gs_key *const key = gs_records_key(m->loads, i, strlen(gs_load_spec.key));
            if (gs_str_eq(key[0].text, gpu->host) && gs_str_eq(key[1].text, gpu->serial) &&
                gs_str_eq(key[2].text, gpu->uuid))
                status = read_series(m, i, name[g], err);
        }
    return status;
}

/* A panel for each GPU, all with axes from 0 to 100 %. */
static const struct gs_plot *plot_of(const struct gs_frame *f, const struct gs_str *name,
                                     uint32_t n, struct gs_arena *arena)
{
    static const struct gs_mark whole = {.kind = GS_MARK_Y, .at = 100};
    struct gs_plot *const plot = gs_arena_take(arena, 1, sizeof *plot);
    struct gs_panel *const panel = gs_arena_take(arena, n, sizeof *panel);
    if (plot == NULL || panel == NULL)
        return NULL;
    for (uint32_t g = 0; g < n; g++)
        panel[g] = (struct gs_panel)GS_PANEL(LINES, TIME, SHARE_PCT, .title = name[g].ptr,
                                             .group = GS_COL_METRIC, .order = load_words,
                                             .from_zero = true, .marks = &whole, .n_marks = 1,
                                             .only_column = GS_COL_GPU, .only_value = name[g].ptr,
                                             .x_label = "", .y_label = "% of the highest");
    *plot = (struct gs_plot){.name = "figure-gpus",
                             .title = "Each GPU over time",
                             .of = f,
                             .n_panels = (int)n,
                             .panels = panel,
                             .columns = 4};
    return plot;
}

enum gs_status gs_report_multiples(struct gs_report *r, struct gs_report_section *s,
                                   const struct gs_gpu_list *fleet, struct gs_err *err)
{
    struct gs_arena *const arena = r->context->arena;
    struct multiples m = {
        .loads = &r->visit->job[GS_REPORT_PROFILES_ONCE].state.table[GS_PROFILE_LOADS]};
    struct gs_buf text = {.arena = arena};
    if (fleet->n_gpus < GPUS_MIN || fleet->n_gpus > GPUS_MAX)
        return GS_OK;
    GS_NEW(struct gs_str, name, fleet->n_gpus, arena, err);
    for (uint32_t g = 0; g < fleet->n_gpus; g++) {
        struct gs_buf b = {.arena = arena};
        gs_gpu_verdict_name(fleet, g, &b);
        name[g] = gs_buf_str(&b);
        text.failed |= b.failed;
    }
    GS_TRY(gs_had_memory(!text.failed, err));
    GS_TRY(read_all(&m, fleet, name, err));
    if (m.n_rows <= (size_t)fleet->n_gpus * GS_N_LOADS) /* a point is no line */
        return GS_OK;
    GS_TRY(gs_frame_new(arena, GS_HEAD("gpus-over-time", "Each GPU over time", GS_COLUMNS(columns)),
                        m.n_rows, NULL, &m.frame, err));
    GS_TRY(read_all(&m, fleet, name, err));
    gs_buf_text(&text, "Each in per cent of the highest that one of these GPUs reached. A GPU "
                       "whose clock or power lies below its siblings' may be held back.");
    (void)gs_report_add_figure(r, s, plot_of(m.frame, name, fleet->n_gpus, arena), m.frame, &text);
    return GS_OK;
}
