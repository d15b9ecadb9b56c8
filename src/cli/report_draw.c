/* report_draw.c - the slow part of a report, spread over threads: gnuplot runs and digests of the inputs. */
#include <string.h>

#include "gpustat/gnuplot.h"
#include "gpustat/parallel.h"
#include "report.h"

/* What one thread does in one go. */
struct job {
    struct gs_report_input *input;   /* a digest, or */
    struct gs_report_figure *figure; /* a picture    */
    enum gs_picture picture;
    enum gs_theme theme;
    struct gs_str *result;
    struct gs_arena arena; /* of the picture: arenas are not shared between threads */
    enum gs_status status;
    struct gs_err err;
};

static void draw(struct job *j)
{
    struct gs_buf b = {.arena = &j->arena};
    const struct gs_draw_options o = {.theme = j->theme, .log_scale = j->figure->log_scale};
    j->status = gs_plot_draw(j->figure->frame, j->figure->plot, j->picture, &o, gs_sink_buf(&b), &j->err);
    *j->result = gs_buf_str(&b);
}

static void digest(struct job *j)
{
    const char *const path = j->input->input->path;
    if (strcmp(path, "-") == 0)
        return;
    j->status = gs_sha256_file(path, j->input->sha256, &j->input->n_bytes, &j->err);
    j->input->hashed = j->status == GS_OK;
}

static int work(void *context, size_t item, unsigned thread)
{
    struct job *const j = (struct job *)context + item;
    (void)thread;
    if (j->input != NULL)
        digest(j);
    else
        draw(j);
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

/* A jobs list of three pictures for each figure and a digest for each input: the longest first. */
static size_t list_jobs(struct gs_report *r, struct job *jobs)
{
    size_t n = 0;
    for (size_t i = 0; i < r->data.n_inputs; i++)
        jobs[n++] = (struct job){.input = &r->input[i]};
    for (int p = 0; p < GS_N_PARTS; p++)
        for (struct gs_report_figure *f = r->section[p].figures; f != NULL; f = f->next) {
            jobs[n++] = (struct job){.figure = f,
                                     .picture = GS_PICTURE_PNG,
                                     .theme = r->context->dark ? GS_THEME_DARK : GS_THEME_LIGHT,
                                     .result = &f->png};
            jobs[n++] = (struct job){.figure = f, .picture = GS_PICTURE_SVG, .theme = GS_THEME_LIGHT, .result = &f->light};
            jobs[n++] = (struct job){.figure = f, .picture = GS_PICTURE_SVG, .theme = GS_THEME_DARK, .result = &f->dark};
        }
    return n;
}

enum gs_status gs_report_draw(struct gs_report *r, struct gs_err *err)
{
    enum { JOBS_PER_FIGURE = 3 };
    size_t n = r->data.n_inputs;
    enum gs_status s = GS_OK;
    for (int p = 0; p < GS_N_PARTS; p++)
        for (struct gs_report_figure *f = r->section[p].figures; f != NULL && s == GS_OK; f = f->next) {
            n += JOBS_PER_FIGURE;
            s = add_script(r, f, err);
        }
    struct job *const jobs = gs_arena_take(r->context->arena, n, sizeof *jobs);
    r->input = gs_arena_take(r->context->arena, r->data.n_inputs, sizeof *r->input);
    if (s == GS_OK && (jobs == NULL || r->input == NULL))
        s = gs_fail_memory(err);
    if (s != GS_OK)
        return s;
    for (size_t i = 0; i < r->data.n_inputs; i++)
        r->input[i].input = &r->data.input[i];
    n = list_jobs(r, jobs);
    (void)gs_parallel_for(r->context->n_threads, n, work, jobs);
    for (size_t i = 0; i < n; i++) {
        if (s == GS_OK && jobs[i].status != GS_OK)
            s = gs_fail(err, jobs[i].status, "%s", jobs[i].err.text);
        gs_arena_adopt(r->context->arena, &jobs[i].arena);
    }
    return s;
}
