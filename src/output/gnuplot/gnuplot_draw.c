/* gnuplot_draw.c - pictures: scripts with a terminal in front, and what came back of them. */
#include <string.h>

#include "output/chart/figure.h"
#include "output/gnuplot/gnuplot_run.h"

/* The name that keeps the ids of several pictures in one page apart; gnuplot allows letters, digits and _. */
static void append_id(struct gs_buf *b, const char *name)
{
    for (; *name != '\0'; name++)
        gs_buf_char(b, gs_is_alnum(*name) ? *name : '_');
}

/* The terminal and the theme, before the script that leaves both open. */
static void append_terminal(struct gs_buf *b, enum gs_picture picture,
                            const struct gs_draw_options *o, const struct gs_plot *plot,
                            const struct gs_figure_size *size)
{
    const int width = size->width_px, height = size->height_px;
    const char *const background = o->theme == GS_THEME_DARK ? "#14171c" : "#ffffff";
    switch (picture) {
    case GS_PICTURE_SVG:
        gs_buf_format(b,
                      "set terminal svg size %d,%d dynamic noenhanced font 'sans-serif,12' name '",
                      width, height);
        append_id(b, plot->name != NULL ? plot->name : "figure");
        gs_buf_char(b, '\'');
        if (!o->transparent)
            gs_buf_format(b, " background '%s'", background);
        break;
    case GS_PICTURE_PNG:
        /* Two dots for each pixel of the layout: sharp on today's screens and on paper. */
        gs_buf_format(b,
                      "set terminal pngcairo size %d,%d noenhanced font 'sans-serif,12' fontscale "
                      "2 linewidth 2 pointscale 2 background '%s'",
                      2 * width, 2 * height, background);
        break;
    case GS_PICTURE_PDF:
        gs_buf_format(b,
                      "set terminal pdfcairo size %d/96.0,%d/96.0 noenhanced font 'sans-serif,9' "
                      "background '%s'",
                      width, height, background);
        break;
    }
    gs_buf_char(b, '\n');
}

/*
 * A PDF states when it was made. The date is the only thing that differs between two drawings, so it is set
 * to the epoch, in its own length: offsets inside the file stay right.
 */
static void forget_date(struct gs_buf *pdf)
{
    static const char key[] = "/CreationDate (D:";
    for (size_t i = 0; i + sizeof key - 1 < pdf->len; i++) {
        if (memcmp(pdf->ptr + i, key, sizeof key - 1) != 0)
            continue;
        static const char epoch[] = "19700101000000";
        char *const digits = pdf->ptr + i + sizeof key - 1;
        const size_t left = pdf->len - i - (sizeof key - 1);
        for (size_t k = 0; k < left && k < 14 && gs_is_digit(digits[k]); k++)
            digits[k] = epoch[k];
        return;
    }
}

static enum gs_status not_whole(struct gs_err *err)
{
    return gs_fail(err, GS_ERR_INTERNAL, "gnuplot did not draw the figure: the picture has no end");
}

enum gs_status gs_plot_draw(const struct gs_frame *f, const struct gs_plot *plot,
                            enum gs_picture picture, const struct gs_draw_options *options,
                            struct gs_sink sink, struct gs_err *err)
{
    GS_OWN struct gs_arena arena = {0}, picture_arena = {0};
    struct gs_buf figure = {.arena = &arena}, script = {.arena = &arena};
    struct gs_buf drawn = {.arena = &picture_arena}, hover = {.arena = &arena},
                  told = {.arena = &picture_arena}, *whole = &drawn;
    struct gs_figure_size size = {0};
    const uint64_t n_failed = gs_memory_n_failed();
    GS_TRY(gs_figure_script(f, plot, options, &size, &figure, &hover, err));
    gs_buf_text(&script, "set encoding utf8\n");
    append_terminal(&script, picture, options, plot, &size);
    gs_buf_bytes(&script, figure.ptr, figure.len);
    GS_TRY(gs_gnuplot_run(options->program, &script, &drawn, &arena, err));
    if (!gs_picture_is_whole(picture, gs_buf_str(&drawn)))
        GS_TRY(not_whole(err));
    if (picture == GS_PICTURE_PDF)
        forget_date(&drawn);
    if (picture == GS_PICTURE_SVG) {
        gs_svg_hover(&told, gs_buf_str(&drawn), gs_buf_str(&hover));
        whole = &told;
    }
    if (whole->failed || hover.failed || gs_memory_n_failed() != n_failed)
        return gs_fail_memory(err);
    return gs_sink_write(sink, whole->ptr, whole->len, err);
}

/* Finds each picture in what gnuplot wrote. Text inside one never holds a bare "<", so none can begin early. */
static enum gs_status split_svgs(struct gs_str drawn, struct gs_svg_request *request, size_t n,
                                 struct gs_err *err)
{
    static const char prolog[] = "<?xml";
    size_t found = 0, begin = 0;
    for (size_t i = 0; i + sizeof prolog - 1 <= drawn.len; i++) {
        if (drawn.ptr[i] != '<' || memcmp(drawn.ptr + i, prolog, sizeof prolog - 1) != 0)
            continue;
        if (found > 0 && found <= n)
            request[found - 1].svg = (struct gs_str){drawn.ptr + begin, i - begin};
        begin = i;
        found++;
    }
    if (found != n)
        return gs_fail(err, GS_ERR_INTERNAL, "gnuplot drew %zu of %zu pictures", found, n);
    if (n > 0)
        request[n - 1].svg = (struct gs_str){drawn.ptr + begin, drawn.len - begin};
    for (size_t i = 0; i < n; i++)
        if (!gs_picture_is_whole(GS_PICTURE_SVG, request[i].svg))
            return not_whole(err);
    return GS_OK;
}

enum gs_status gs_svg_request_write(struct gs_svg_request *r, struct gs_arena *arena,
                                    struct gs_err *err)
{
    const struct gs_draw_options o = {
        .theme = r->theme, .log_scale = r->log_scale, .height_px = r->height_px, .zone = r->zone};
    struct gs_buf head = {.arena = arena}, script = head, hover = head;
    struct gs_figure_size size = {0};
    GS_TRY(gs_figure_script(r->frame, r->plot, &o, &size, &script, &hover, err));
    gs_buf_text(&head, "reset\nundefine theme\n");
    append_terminal(&head, GS_PICTURE_SVG, &o, r->plot, &size);
    GS_TRY(gs_had_memory(!head.failed && !hover.failed, err));
    r->empty = size.empty;
    r->head = gs_buf_str(&head);
    r->script = gs_buf_str(&script);
    r->hover = gs_buf_str(&hover);
    return GS_OK;
}

enum gs_status gs_plot_draw_svgs(struct gs_svg_request *request, size_t n, const char *program,
                                 struct gs_arena *arena, struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    struct gs_buf script = {.arena = &scratch}, drawn = {.arena = &scratch};
    gs_buf_text(&script, "set encoding utf8\n");
    for (size_t i = 0; i < n; i++) {
        gs_buf_bytes(&script, request[i].head.ptr, request[i].head.len);
        gs_buf_bytes(&script, request[i].script.ptr, request[i].script.len);
    }
    GS_TRY(gs_gnuplot_run(program, &script, &drawn, &scratch, err));
    GS_TRY(split_svgs(gs_buf_str(&drawn), request, n, err));
    for (size_t i = 0; i < n; i++) {
        struct gs_buf told = {.arena = arena};
        gs_svg_hover(&told, request[i].svg, request[i].hover);
        request[i].svg = gs_buf_str(&told);
        GS_TRY(gs_had_memory(!told.failed, err));
    }
    return GS_OK;
}

enum gs_status gs_picture_of(const char *path, enum gs_picture *picture, struct gs_err *err)
{
    static const struct {
        const char *suffix;
        enum gs_picture picture;
    } known[] = {{".svg", GS_PICTURE_SVG}, {".png", GS_PICTURE_PNG}, {".pdf", GS_PICTURE_PDF}};
    const size_t len = strlen(path);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (len > 4 &&
            gs_str_eq_nocase((struct gs_str){path + len - 4, 4}, gs_str(known[i].suffix))) {
            *picture = known[i].picture;
            return GS_OK;
        }
    }
    const char *const shown = GS_SHOWN(gs_str(path), 200);
    return gs_fail(err, GS_ERR_USAGE, "%s: a picture's name must end in .svg, .png or .pdf", shown);
}

enum gs_status gs_plot_draw_file(const struct gs_frame *f, const struct gs_plot *plot,
                                 const char *path, const struct gs_draw_options *options,
                                 struct gs_err *err)
{
    enum gs_picture picture;
    struct gs_output o = {0};
    GS_TRY(gs_picture_of(path, &picture, err));
    GS_TRY(gs_output_open(&o, path, err));
    enum gs_status s = gs_plot_draw(f, plot, picture, options, gs_output_sink(&o), err);
    GS_THEN(s, gs_output_commit(&o, err));
    gs_output_abandon(&o);
    return s;
}
