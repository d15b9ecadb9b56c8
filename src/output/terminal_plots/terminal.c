/* terminal.c - a figure in characters: its panels one under the other. */
#include "output/terminal_plots/terminal.h"

#include <math.h>
#include <string.h>

#include "output/terminal_plots/terminal_parts.h"
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

static const struct gs_signs unicode = {
    .horizontal = "\xE2\x94\x80",
    .horizontal_tic = "\xE2\x94\xB4",
    .vertical = "\xE2\x94\x82",
    .vertical_tic = "\xE2\x94\xA4",
    .rule_across = "\xE2\x94\x84",
    .rule_up = "\xE2\x94\x86",
    .dot = "\xC2\xB7",
    .band = "\xE2\x96\x91",
    .hollow = "\xE2\x96\x91",
    .box = "\xE2\x96\x88",
    .cut = "\xE2\x80\xA6",
    .cell = "\033[38;5;%dm\xE2\x96\x88\033[0m",
};

static const struct gs_signs ascii = {
    .horizontal = "-",
    .horizontal_tic = "+",
    .vertical = "|",
    .vertical_tic = "+",
    .rule_across = "-",
    .rule_up = ":",
    .dot = ".",
    .band = "=",
    .hollow = ".",
    .box = "=",
    .cut = "~",
    .cell = "\033[48;5;%dm \033[0m",
};

/* Our own signs as ASCII has them; names from the data stay as they are. */
static void append_ascii(struct gs_buf *b, struct gs_str text)
{
    static const struct {
        const char *sign, *ascii;
    } known[] = {{"\xC2\xB0", ""},      /* degree */
                 {"\xCF\x83", "sd"},    /* sigma  */
                 {"\xE2\x88\x92", "-"}, /* minus  */
                 {"\xC2\xB5", "u"},     /* micro  */
                 {"\xC3\x97", "x"},     /* times  */
                 {"\xE2\x80\xA6", "~"}};
    enum { N_KNOWN = sizeof known / sizeof *known };
    for (size_t i = 0; i < text.len;) {
        size_t k = 0;
        while (k < N_KNOWN && !gs_str_begins(gs_str_after(text, i), known[k].sign))
            k++;
        if (k < N_KNOWN) {
            gs_buf_text(b, known[k].ascii);
            i += strlen(known[k].sign);
        } else {
            gs_buf_char(b, text.ptr[i++]);
        }
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
    const struct gs_draw_options options = {
        .log_scale = to->log_scale, .title = to->title, .zone = to->zone};
    size_t columns = 80;
    if (to->columns != 0)
        columns = (size_t)gs_max(30, to->columns);
    GS_TRY(gs_figure_open(&fig, f, plot, &options, &arena, err));
    for (size_t i = 0; i < fig.n; i++) {
        const struct gs_page p = {to, to->unicode ? &unicode : &ascii, &fig.drawn[i], &b, columns};
        if (i == 0 && fig.title != NULL)
            append_heading(&p, gs_str(fig.title), true);
        if (i > 0)
            gs_buf_char(&b, '\n');
        append_panel(&p, &arena);
    }
    if (fig.n == 0)
        gs_buf_text(&b, "no data\n");
    struct gs_buf plain = {.arena = &arena}, *shown = &b;
    if (!to->unicode) {
        append_ascii(&plain, gs_buf_str(&b));
        shown = &plain;
    }
    GS_TRY(gs_had_memory(!b.failed && !plain.failed, err));
    return gs_sink_write(sink, shown->ptr, shown->len, err);
}
