/* report_draw.c - the pictures of a report, spread over two gnuplots. */
#include <string.h>

#include "output/gnuplot/gnuplot.h"
#include "base/os/parallel.h"
#include "app/report/report.h"
#include "base/num/order.h"

/*
 * Starting one costs as much as a few pictures: beyond two there is little to win. Always as many, whatever the
 * threads: a few bytes of a picture depend on the one drawn before.
 */
enum { GNUPLOTS = 2 };

/* What one thread does in one go: the SVGs of some figures, or the PNG of one. */
struct job {
    struct drawing **figure; /* [n] */
    size_t n, cost;
    bool is_png;
    struct gs_draw_options options; /* of the files; the page colours its own */
};

/* A figure, and what gnuplot is told of it: as a whole, then each of its panels. */
struct drawing {
    struct gs_report_figure *figure;
    struct gs_svg_request *request; /* [n] */
    size_t n, cost;
};

static enum gs_status draw_png(struct job *j, struct gs_arena *arena, struct gs_err *err)
{
    struct gs_buf b = {.arena = arena};
    struct gs_report_figure *const f = j->figure[0]->figure;
    struct gs_draw_options o = j->options;
    o.log_scale = f->log_scale;
    GS_TRY(gs_plot_draw(f->frame, f->plot, GS_PICTURE_PNG, &o, gs_sink_buf(&b), err));
    f->png = gs_buf_str(&b);
    return GS_OK;
}

/*
 * A panel alone, as wide as a phone can show in letters that can be read. The page gives the figure's title. Those along
 * time are low and have their ends in one place, so that instants lie under one another.
 */
static struct gs_plot panel_alone(const struct gs_plot *plot, int i, struct gs_panel *own)
{
    enum { WIDTH = 430, HEIGHT = 310, MAP_HEIGHT = 350, TIME_WIDTH = 520, TIME_HEIGHT = 145 };
    enum {
        TIME_MAP_HEIGHT = 240,
        SMALL_HEIGHT = 200,
        KEY_HEIGHT = 35,
        FACETS_BESIDE = 2,
        LEGROOM = 60
    };
    const enum gs_plot_kind kind = plot->panels[i].kind;
    const bool map = kind == GS_PLOT_HEAT, facets = plot->panels[i].facet != GS_COL_NONE;
    const bool time = gs_report_is_over_time(&plot->panels[i]),
               by_rows = kind == GS_PLOT_BARS || kind == GS_PLOT_BOX || kind == GS_PLOT_SPANS ||
                         facets; /* one for each of them */
    int height = map ? MAP_HEIGHT : HEIGHT;
    if (time)
        height = map ? TIME_MAP_HEIGHT : TIME_HEIGHT;
    if (time && plot->panels[i].group != GS_COL_NONE)
        height += KEY_HEIGHT;
    if (plot->panels[i].only_column != GS_COL_NONE)
        height = SMALL_HEIGHT;
    *own = plot->panels[i];
    if (kind == GS_PLOT_HEAT && own->y == GS_COL_GPU) /* a line of text for each */
        height = gs_max(height, plot->height_px - LEGROOM);
    own->aligned = time && kind != GS_PLOT_SPANS && own->y != GS_COL_GPU; /* names want room */
    if (own->aligned && i + 1 < plot->n_panels)
        own->x_label = ""; /* the last says it for all */
    return (struct gs_plot){.name = plot->name,
                            .n_panels = 1,
                            .panels = own,
                            .columns = facets ? FACETS_BESIDE : 0,
                            .width_px = time && kind != GS_PLOT_SPANS ? TIME_WIDTH : WIDTH,
                            .height_px = by_rows ? 0 : height};
}

static enum gs_status draw_svgs(struct job *j, struct gs_arena *arena, struct gs_err *err)
{
    size_t n = 0, at = 0;
    for (size_t i = 0; i < j->n; i++)
        n += j->figure[i]->n;
    GS_NEW(struct gs_svg_request, r, n, arena, err);
    for (size_t i = 0; i < j->n; at += j->figure[i++]->n)
        memcpy(r + at, j->figure[i]->request, j->figure[i]->n * sizeof *r);
    GS_TRY(gs_plot_draw_svgs(r, n, NULL, arena, err));
    at = 0;
    for (size_t i = 0; i < j->n; i++) {
        struct gs_report_figure *const f = j->figure[i]->figure;
        f->svg = r[at++].svg;
        /* an empty panel is left out; of nothing but such the first says so */
        for (int p = 0; p < f->plot->n_panels; p++, at++)
            if (!r[at].empty || (p == 0 && j->figure[i]->request[0].empty))
                f->panel[p] = r[at].svg;
    }
    return GS_OK;
}

static enum gs_status draw(void *context, size_t item, struct gs_arena *arena, struct gs_err *err)
{
    struct job *const j = (struct job *)context + item;
    return j->is_png ? draw_png(j, arena, err) : draw_svgs(j, arena, err);
}

/* The scripts, on all threads: gnuplot waits for them. */
static enum gs_status write_script(void *context, size_t item, struct gs_arena *arena,
                                   struct gs_err *err)
{
    return gs_svg_request_write((struct gs_svg_request *)context + item, arena, err);
}

/* About how long gnuplot takes: by its numbers, more by its lines, which are points to be written and not cells. */
static size_t cost_of(const struct drawing *d)
{
    enum { OF_A_PICTURE = 1000, OF_A_LINE = 3 };
    size_t cost = 0;
    for (size_t i = 0; i < d->n; i++) {
        cost += OF_A_PICTURE;
        for (size_t k = 0; k < d->request[i].script.len; k++) {
            const char c = d->request[i].script.ptr[k];
            if (c == ' ')
                cost++;
            else if (c == '\n')
                cost += OF_A_LINE;
        }
    }
    return cost;
}

/*
 * Longest first, each to the gnuplot that has least to do: none waits long for another. The
 * order decides which pictures share a gnuplot, so it must not depend on timing: costs come
 * from the scripts, and equal costs keep the order of the report.
 */
static void deal(struct drawing **figure, size_t n, struct job *jobs, size_t n_jobs)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k > 0 && figure[k]->cost > figure[k - 1]->cost; k--) {
            struct drawing *const longer = figure[k];
            figure[k] = figure[k - 1];
            figure[k - 1] = longer;
        }
    for (size_t i = 0; i < n; i++) {
        struct job *least = jobs;
        for (size_t k = 1; k < n_jobs; k++)
            if (jobs[k].cost < least->cost)
                least = &jobs[k];
        least->figure[least->n++] = figure[i];
        least->cost += figure[i]->cost;
    }
}

/*
 * The figures of all sections; their requests in a row. NULL without memory. Counted first,
 * then taken at once: requests hold pointers to the plots and panels, which must not move.
 */
static struct drawing *list_drawings(struct gs_report *r, enum gs_theme theme, size_t *n,
                                     size_t *n_requests)
{
    struct gs_arena *const arena = r->context->arena;
    const int height_px = r->context->height_px;
    *n = *n_requests = 0;
    for (int p = 0; p < GS_N_PARTS; p++)
        for (const struct gs_report_figure *f = r->section[p].figures; f != NULL; f = f->next, ++*n)
            *n_requests += 1 + (size_t)f->plot->n_panels;
    struct drawing *const all = gs_arena_take(arena, *n, sizeof *all);
    struct gs_svg_request *at = gs_arena_take(arena, *n_requests, sizeof *at);
    struct gs_plot *panel = gs_arena_take(arena, *n_requests, sizeof *panel);
    struct gs_panel *own = gs_arena_take(arena, *n_requests, sizeof *own);
    struct gs_str *svg = gs_arena_take(arena, *n_requests, sizeof *svg);
    if (all == NULL || at == NULL || panel == NULL || own == NULL || svg == NULL)
        return NULL;
    struct drawing *d = all;
    for (int p = 0; p < GS_N_PARTS; p++)
        for (struct gs_report_figure *f = r->section[p].figures; f != NULL; f = f->next, d++) {
            *d = (struct drawing){.figure = f, .request = at, .n = 1 + (size_t)f->plot->n_panels};
            f->panel = svg;
            svg += f->plot->n_panels;
            *at++ = (struct gs_svg_request){.frame = f->frame,
                                            .plot = f->plot,
                                            .theme = theme,
                                            .log_scale = f->log_scale,
                                            .zone = &r->opts->run.dataset.zone,
                                            .height_px = height_px};
            for (int i = 0; i < f->plot->n_panels; i++) {
                *panel = panel_alone(f->plot, i, own++);
                *at++ = (struct gs_svg_request){.frame = f->frame,
                                                .plot = panel++,
                                                .log_scale = f->log_scale,
                                                .zone = &r->opts->run.dataset.zone,
                                                .height_px = height_px};
            }
        }
    return all;
}

enum gs_status gs_report_draw(struct gs_report *r, struct gs_err *err)
{
    struct gs_arena *const arena = r->context->arena;
    const enum gs_theme theme = r->context->dark ? GS_THEME_DARK : GS_THEME_LIGHT;
    const struct gs_draw_options options = {
        .theme = theme, .height_px = r->context->height_px, .zone = &r->opts->run.dataset.zone};
    size_t n, n_requests;
    struct drawing *const all = list_drawings(r, theme, &n, &n_requests);
    struct drawing **const figure = gs_arena_take(arena, n, sizeof(struct drawing *));
    struct drawing **const dealt = gs_arena_take(arena, n * GNUPLOTS, sizeof(struct drawing *));
    GS_NEW(struct job, jobs, GNUPLOTS + n, arena, err);
    GS_TRY(gs_had_memory(all != NULL && figure != NULL && dealt != NULL, err));
    const unsigned n_threads = r->context->n_threads;
    GS_TRY(gs_parallel_tasks(n_threads, n_requests, write_script, all->request, arena, err));
    for (size_t i = 0; i < n; i++) {
        figure[i] = &all[i];
        all[i].cost = cost_of(&all[i]);
        all[i].figure->script = all[i].request[0].script;
    }
    size_t n_jobs = gs_min(n, GNUPLOTS);
    for (size_t k = 0; k < n_jobs; k++)
        jobs[k] = (struct job){.figure = dealt + k * n, .options = options};
    if (n > 0)
        deal(figure, n, jobs, n_jobs);
    for (size_t i = 0; i < n && r->opts->png; i++)
        jobs[n_jobs++] =
            (struct job){.figure = &figure[i], .n = 1, .is_png = true, .options = options};
    return gs_parallel_tasks(n_threads, n_jobs, draw, jobs, arena, err);
}
