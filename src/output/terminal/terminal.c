/* terminal.c - a figure in characters: its panels one under the other. */
#include "output/terminal/terminal.h"

#include <math.h>
#include <string.h>

#include "output/terminal/terminal_parts.h"
#include "base/num/order.h"

static void append_heading(const struct gs_page *p, struct gs_str text, bool bold)
{
    if (text.len == 0)
        return;
    const size_t width = gs_page_width(text);
    gs_buf_text_if(p->b, bold && p->to->colour, "\033[1m");
    gs_page_name(p, text, gs_min(width, p->columns), false);
    gs_buf_text_if(p->b, bold && p->to->colour, "\033[0m");
    gs_buf_char(p->b, '\n');
}

/*
 * There is no default branch: the compiler warns of a kind of plot that the terminal cannot
 * draw.
 */
static void append_panel(const struct gs_page *p, struct gs_arena *arena)
{
    const struct gs_drawn *const d = p->d;
    struct gs_buf title = {.arena = arena};
    gs_panel_title(&title, d);
    append_heading(p, gs_buf_str(&title), false);
    if (d->n == 0 || isnan(d->ay.lo)) {
        gs_buf_text(p->b, "no data\n");
        return;
    }
    switch (d->panel->kind) {
    case GS_PLOT_BARS:
    case GS_PLOT_HISTOGRAM_GROUPED:
        gs_page_bars(p);
        return;
    case GS_PLOT_BOX:
        gs_page_boxes(p);
        return;
    case GS_PLOT_SPANS:
        gs_page_spans(p);
        return;
    case GS_PLOT_HISTOGRAM:
        gs_page_histogram(p);
        return;
    case GS_PLOT_HEAT:
        gs_page_map(p);
        return;
    case GS_PLOT_SCATTER:
    case GS_PLOT_LINES:
    case GS_PLOT_POINTS_ERROR:
        gs_page_points(p);
        return;
    }
}

/* Our own signs as ASCII has them; names from the data stay as they are. */
static void append_ascii(struct gs_buf *b, struct gs_str text)
{
    static const struct {
        const char *sign, *ascii;
    } signs[] = {{"\xC2\xB0", ""},      /* degree */
                 {"\xCF\x83", "sd"},    /* sigma  */
                 {"\xE2\x88\x92", "-"}, /* minus  */
                 {"\xC2\xB5", "u"},     /* micro  */
                 {"\xC3\x97", "x"},     /* times  */
                 {"\xE2\x80\xA6", "~"}};
    for (size_t i = 0, n; i < text.len; i += n) {
        size_t k = 0;
        while (k < sizeof signs / sizeof *signs &&
               !gs_str_begins(gs_str_after(text, i), signs[k].sign))
            k++;
        n = k < sizeof signs / sizeof *signs ? strlen(signs[k].sign) : 1;
        if (k < sizeof signs / sizeof *signs)
            gs_buf_text(b, signs[k].ascii);
        else
            gs_buf_char(b, text.ptr[i]);
    }
}

/*
 * The whole figure is composed before the first byte is sent. Without a known width 80 columns
 * are assumed, as for a file.
 */
enum gs_status gs_plot_terminal(const struct gs_frame *f, const struct gs_plot *plot,
                                const struct gs_terminal *to, struct gs_sink sink,
                                struct gs_err *err)
{
    GS_OWN struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    struct gs_figure fig;
    const struct gs_draw_options options = {.log_scale = to->log_scale, .title = to->title};
    const int columns = to->columns == 0 ? 80 : gs_max(30, to->columns);
    GS_TRY(gs_figure_open(&fig, f, plot, &options, &arena, err));
    for (size_t i = 0; i < fig.n; i++) {
        const struct gs_page p = {to, &fig.drawn[i], &b, (size_t)columns};
        if (i == 0 && fig.title != NULL)
            append_heading(&p, gs_str(fig.title), true);
        if (i > 0)
            gs_buf_char(&b, '\n');
        append_panel(&p, &arena);
    }
    if (fig.n == 0)
        gs_buf_text(&b, "no data\n");
    struct gs_buf ascii = {.arena = &arena};
    if (!to->unicode)
        append_ascii(&ascii, gs_buf_str(&b));
    GS_TRY(gs_had_memory(!b.failed && !ascii.failed, err));
    const struct gs_buf *const shown = to->unicode ? &b : &ascii;
    return gs_sink_write(sink, shown->ptr, shown->len, err);
}
