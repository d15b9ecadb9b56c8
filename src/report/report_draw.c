/* report_draw.c - the slow part of a report, spread over threads: gnuplot runs. */
#include "gnuplot/gnuplot.h"
#include "os/parallel.h"
#include "report/report.h"

/* What one thread does in one go: a figure's PNG, or all of its SVGs. */
struct job {
    struct gs_report_figure *figure;
    bool is_png;
    enum gs_theme theme;   /* of the files; the page colours its own */
    struct gs_arena arena; /* of the pictures: arenas are not shared between threads */
    enum gs_status status;
    struct gs_err err;
};

static void draw_png(struct job *j)
{
    struct gs_buf b = {.arena = &j->arena};
    const struct gs_draw_options o = {.theme = j->theme, .log_scale = j->figure->log_scale};
    j->status = gs_plot_draw(j->figure->frame, j->figure->plot, GS_PICTURE_PNG, &o, gs_sink_buf(&b), &j->err);
    j->figure->png = gs_buf_str(&b);
}

/* A panel alone, as wide as a phone can show in letters that can be read. The page gives the figure's title. */
static struct gs_plot panel_alone(const struct gs_plot *plot, int i)
{
    enum { WIDTH = 480, HEIGHT = 340, MAP_HEIGHT = 430 };
    const enum gs_plot_kind kind = plot->panels[i].kind;
    return (struct gs_plot){.name = plot->name,
                            .n_panels = 1,
                            .panels = &plot->panels[i],
                            .width_px = WIDTH,
                            .height_px = kind == GS_PLOT_BARS || kind == GS_PLOT_BOX ? 0 /* by the number of rows */
                                         : kind == GS_PLOT_HEAT                      ? MAP_HEIGHT
                                                                                     : HEIGHT};
}

static void draw_svgs(struct job *j)
{
    struct gs_report_figure *const f = j->figure;
    const size_t n_panels = (size_t)f->plot->n_panels, n = 1 + n_panels;
    struct gs_plot *const plot = gs_arena_take(&j->arena, n_panels, sizeof *plot);
    struct gs_svg_request *const r = gs_arena_take(&j->arena, n, sizeof *r);
    if (plot == NULL || r == NULL) {
        j->status = gs_fail_memory(&j->err);
        return;
    }
    for (size_t i = 0; i < n_panels; i++) {
        plot[i] = panel_alone(f->plot, (int)i);
        r[i] = (struct gs_svg_request){&plot[i], GS_THEME_LIGHT, f->log_scale, {NULL, 0}};
    }
    r[n - 1] = (struct gs_svg_request){f->plot, j->theme, f->log_scale, {NULL, 0}};
    j->status = gs_plot_draw_svgs(f->frame, r, n, NULL, &j->arena, &j->err);
    for (size_t i = 0; i < n_panels; i++)
        f->panel[i] = r[i].svg;
    f->svg = r[n - 1].svg;
}

static int work(void *context, size_t item, unsigned thread)
{
    struct job *const j = (struct job *)context + item;
    (void)thread;
    if (j->is_png)
        draw_png(j);
    else
        draw_svgs(j);
    return j->status == GS_OK ? 0 : 1;
}

static enum gs_status add_script(struct gs_report *r, struct gs_report_figure *f, struct gs_err *err)
{
    struct gs_buf b = {.arena = r->context->arena};
    const struct gs_draw_options o = {.theme = r->context->dark ? GS_THEME_DARK : GS_THEME_LIGHT,
                                      .log_scale = f->log_scale};
    const enum gs_status s = gs_plot_script(f->frame, f->plot, &o, &b, err);
    f->script = gs_buf_str(&b);
    return s;
}

/* Prepares what the pictures of a figure need and counts them. */
static enum gs_status prepare(struct gs_report *r, struct gs_report_figure *f, size_t *n, struct gs_err *err)
{
    *n += 2;
    f->panel = gs_arena_take(r->context->arena, (size_t)f->plot->n_panels, sizeof *f->panel);
    return f->panel == NULL ? gs_fail_memory(err) : add_script(r, f, err);
}

enum gs_status gs_report_draw(struct gs_report *r, struct gs_err *err)
{
    size_t n = 0, at = 0;
    enum gs_status s = GS_OK;
    for (int p = 0; p < GS_N_PARTS; p++)
        for (struct gs_report_figure *f = r->section[p].figures; f != NULL && s == GS_OK; f = f->next)
            s = prepare(r, f, &n, err);
    struct job *const jobs = gs_arena_take(r->context->arena, n, sizeof *jobs);
    if (s == GS_OK && jobs == NULL)
        s = gs_fail_memory(err);
    if (s != GS_OK)
        return s;
    for (int p = 0; p < GS_N_PARTS; p++)
        for (struct gs_report_figure *f = r->section[p].figures; f != NULL; f = f->next)
            for (int is_png = 1; is_png >= 0; is_png--)
                jobs[at++] = (struct job){
                    .figure = f, .is_png = is_png != 0, .theme = r->context->dark ? GS_THEME_DARK : GS_THEME_LIGHT};
    (void)gs_parallel_for(r->context->n_threads, n, work, jobs);
    for (size_t i = 0; i < n; i++) {
        if (s == GS_OK && jobs[i].status != GS_OK)
            s = gs_fail(err, jobs[i].status, "%s", jobs[i].err.text);
        gs_arena_adopt(r->context->arena, &jobs[i].arena);
    }
    return s;
}
