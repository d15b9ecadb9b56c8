/* report_draw.c - the pictures of a report, spread over two gnuplots. */
#include "gnuplot/gnuplot.h"
#include "os/parallel.h"
#include "report/report.h"

/*
 * Starting one costs as much as a few pictures: beyond two there is little to win. Always as many, whatever the
 * threads: a few bytes of a picture depend on the one drawn before.
 */
enum { GNUPLOTS = 2 };

/* What one thread does in one go: the SVGs of some figures, or the PNG of one. */
struct job {
    struct gs_report_figure **figure; /* [n] */
    size_t n, cost;
    bool is_png;
    enum gs_theme theme;   /* of the files; the page colours its own */
    int height_px;         /* of every picture; 0: by what it shows  */
    struct gs_arena arena; /* of the pictures: arenas are not shared between threads */
    enum gs_status status;
    struct gs_err err;
};

static void draw_png(struct job *j)
{
    struct gs_buf b = {.arena = &j->arena};
    const struct gs_report_figure *const f = j->figure[0];
    const struct gs_draw_options o = {.theme = j->theme, .log_scale = f->log_scale, .height_px = j->height_px};
    j->status = gs_plot_draw(f->frame, f->plot, GS_PICTURE_PNG, &o, gs_sink_buf(&b), &j->err);
    j->figure[0]->png = gs_buf_str(&b);
}

/* A panel alone, as wide as a phone can show in letters that can be read. The page gives the figure's title. */
static struct gs_plot panel_alone(const struct gs_plot *plot, int i)
{
    enum { WIDTH = 480, HEIGHT = 340, MAP_HEIGHT = 430 };
    const enum gs_plot_kind kind = plot->panels[i].kind;
    const bool by_rows = kind == GS_PLOT_BARS || kind == GS_PLOT_BOX || kind == GS_PLOT_SPANS;
    return (struct gs_plot){.name = plot->name,
                            .n_panels = 1,
                            .panels = &plot->panels[i],
                            .width_px = WIDTH,
                            .height_px = by_rows                ? 0
                                         : kind == GS_PLOT_HEAT ? MAP_HEIGHT
                                                                : HEIGHT};
}

/* Each figure as a whole, then its panels. */
static void draw_svgs(struct job *j)
{
    size_t n = 0, at = 0;
    for (size_t i = 0; i < j->n; i++)
        n += 1 + (size_t)j->figure[i]->plot->n_panels;
    struct gs_plot *const plot = gs_arena_take(&j->arena, n, sizeof *plot);
    struct gs_svg_request *const r = gs_arena_take(&j->arena, n, sizeof *r);
    if (plot == NULL || r == NULL) {
        j->status = gs_fail_memory(&j->err);
        return;
    }
    for (size_t i = 0; i < j->n; i++) {
        const struct gs_report_figure *const f = j->figure[i];
        r[at++] = (struct gs_svg_request){f->frame, f->plot, j->theme, f->log_scale, j->height_px, {NULL, 0}};
        for (int p = 0; p < f->plot->n_panels; p++, at++) {
            plot[at] = panel_alone(f->plot, p);
            r[at] = (struct gs_svg_request){f->frame, &plot[at], GS_THEME_LIGHT, f->log_scale, j->height_px, {NULL, 0}};
        }
    }
    j->status = gs_plot_draw_svgs(r, n, NULL, &j->arena, &j->err);
    at = 0;
    for (size_t i = 0; i < j->n && j->status == GS_OK; i++) {
        struct gs_report_figure *const f = j->figure[i];
        f->svg = r[at++].svg;
        for (int p = 0; p < f->plot->n_panels; p++)
            f->panel[p] = r[at++].svg;
    }
}

static int draw(void *context, size_t item, unsigned thread)
{
    struct job *const j = (struct job *)context + item;
    (void)thread;
    if (j->is_png)
        draw_png(j);
    else
        draw_svgs(j);
    return j->status == GS_OK ? 0 : 1;
}

/* What the figures say as scripts: text of the report, and a measure of what they cost to draw. */
struct scripts {
    struct gs_report_figure **figure;
    struct gs_arena *arena; /* [figures] */
    enum gs_theme theme;
    int height_px;
    struct gs_err *err; /* [figures] */
};

static int write_script(void *context, size_t item, unsigned thread)
{
    struct scripts *const c = context;
    struct gs_report_figure *const f = c->figure[item];
    struct gs_buf b = {.arena = &c->arena[item]};
    const struct gs_draw_options o = {.theme = c->theme, .log_scale = f->log_scale, .height_px = c->height_px};
    (void)thread;
    f->panel = gs_arena_take(b.arena, (size_t)f->plot->n_panels, sizeof *f->panel);
    if (f->panel == NULL) {
        (void)gs_fail_memory(&c->err[item]);
        return 1;
    }
    const enum gs_status s = gs_plot_script(f->frame, f->plot, &o, &b, &c->err[item]);
    f->script = gs_buf_str(&b);
    return s == GS_OK ? 0 : 1;
}

static enum gs_status write_scripts(struct gs_report *r, struct gs_report_figure **figure, size_t n,
                                    enum gs_theme theme, struct gs_err *err)
{
    struct scripts c = {.figure = figure, .theme = theme, .height_px = r->context->height_px};
    c.arena = gs_arena_take(r->context->arena, n, sizeof *c.arena);
    c.err = gs_arena_take(r->context->arena, n, sizeof *c.err);
    if (c.arena == NULL || c.err == NULL)
        return gs_fail_memory(err);
    (void)gs_parallel_for(r->context->n_threads, n, write_script, &c);
    enum gs_status s = GS_OK;
    for (size_t i = 0; i < n; i++) {
        if (s == GS_OK && c.err[i].status != GS_OK)
            s = gs_fail(err, c.err[i].status, "%s", c.err[i].text);
        gs_arena_adopt(r->context->arena, &c.arena[i]);
    }
    return s;
}

/* Longest first, each to the gnuplot that has least to do: none waits long for another. */
static void deal(struct gs_report_figure **figure, size_t n, struct job *jobs, size_t n_jobs)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k > 0 && figure[k]->script.len > figure[k - 1]->script.len; k--) {
            struct gs_report_figure *const longer = figure[k];
            figure[k] = figure[k - 1];
            figure[k - 1] = longer;
        }
    for (size_t i = 0; i < n; i++) {
        struct job *least = jobs;
        for (size_t k = 1; k < n_jobs; k++)
            least = jobs[k].cost < least->cost ? &jobs[k] : least;
        least->figure[least->n++] = figure[i];
        least->cost += figure[i]->script.len;
    }
}

static enum gs_status run_jobs(struct gs_report *r, struct job *jobs, size_t n, struct gs_err *err)
{
    enum gs_status s = GS_OK;
    (void)gs_parallel_for(r->context->n_threads, n, draw, jobs);
    for (size_t i = 0; i < n; i++) {
        if (s == GS_OK && jobs[i].status != GS_OK)
            s = gs_fail(err, jobs[i].status, "%s", jobs[i].err.text);
        gs_arena_adopt(r->context->arena, &jobs[i].arena);
    }
    return s;
}

enum gs_status gs_report_draw(struct gs_report *r, struct gs_err *err)
{
    struct gs_arena *const arena = r->context->arena;
    const enum gs_theme theme = r->context->dark ? GS_THEME_DARK : GS_THEME_LIGHT;
    size_t n = 0, at = 0;
    for (int p = 0; p < GS_N_PARTS; p++)
        for (const struct gs_report_figure *f = r->section[p].figures; f != NULL; f = f->next)
            n++;
    struct gs_report_figure **const figure = gs_arena_take(arena, n, sizeof(struct gs_report_figure *));
    struct gs_report_figure **const dealt = gs_arena_take(arena, n * GNUPLOTS, sizeof(struct gs_report_figure *));
    struct job *const jobs = gs_arena_take(arena, GNUPLOTS + n, sizeof *jobs);
    if (figure == NULL || dealt == NULL || jobs == NULL)
        return gs_fail_memory(err);
    for (int p = 0; p < GS_N_PARTS; p++)
        for (struct gs_report_figure *f = r->section[p].figures; f != NULL; f = f->next)
            figure[at++] = f;
    const enum gs_status s = write_scripts(r, figure, n, theme, err);
    if (s != GS_OK)
        return s;
    size_t n_jobs = n < GNUPLOTS ? n : GNUPLOTS;
    for (size_t k = 0; k < n_jobs; k++)
        jobs[k] = (struct job){.figure = dealt + k * n, .theme = theme, .height_px = r->context->height_px};
    if (n > 0)
        deal(figure, n, jobs, n_jobs);
    for (size_t i = 0; i < n && r->opts->png; i++)
        jobs[n_jobs++] = (struct job){
            .figure = &figure[i], .n = 1, .is_png = true, .theme = theme, .height_px = r->context->height_px};
    return run_jobs(r, jobs, n_jobs, err);
}
