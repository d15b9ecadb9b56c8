/* write_gnuplot.c - the figures of frames as scripts. */
#include "output/chart/figure.h"
#include "output/writers/writer.h"

enum gs_status gs_write_gnuplot(struct gs_writer *w, const struct gs_frame *f, size_t index,
                                struct gs_err *err)
{
    (void)index; /* figures are counted instead: a frame may have several or none */
    for (const struct gs_plot *p = f->plot; p != NULL; p = p->next) {
        struct gs_buf script = {.arena = w->arena};
        struct gs_figure_size size;
        const struct gs_draw_options options = {.theme = w->options->theme,
                                                .log_scale = w->options->log_scale,
                                                .zone = f->zone,
                                                .number = ++w->n_figures};
        GS_TRY(gs_figure_script(f, p, &options, &size, &script, NULL, err));
        GS_TRY(gs_writer_flush(w, &script, err));
    }
    return GS_OK;
}
