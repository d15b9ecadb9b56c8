/* run.c - from a command line to an exit code: parse, compute, then print. */
#include "app/cli/condition.h"
#include "app/cli/run.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/cli/commands.h"
#include "app/cli/costs.h"
#include "app/cli/overview.h"
#include "app/commands/cmd_map.h"
#include "base/os/path.h"
#include "app/cli/pager.h"
#include "app/cli/panels.h"
#include "app/cli/request.h"
#include "app/options/dataset_opts.h"
#include "app/options/view.h"
#include "app/options/explain.h"
#include "app/passes/memory_bound.h"
#include "output/gnuplot/gnuplot.h"
#include "output/terminal_plots/terminal.h"
#include "base/os/spool.h"
#include "output/writers/render.h"
#include "app/cli/help.h"
#include "app/cli/hints.h"
#include "app/cli/progress.h"
#include "app/cli/terminal_sink.h"

/* --width counts columns of a table, and from here on pixels of a picture. */
enum { PICTURE_PX_MIN = 240 };

/* A proposed command stands beside its purpose up to here, where no terminal sets the width. */
enum { PROPOSALS_WIDTH = 100 };

/* Under --max-memory little of what is printed waits in memory. */
enum { SPOOL_BOUNDED = 256 << 10 };

/* One run of one command. */
struct session {
    const struct gs_streams *streams;
    struct gs_request r;
    struct gs_spool spool; /* what goes to standard output once nothing can fail any more */
    struct gs_scratch_file scratch; /* of the command */
    struct gs_memory_bound bound;   /* likewise      */
    size_t n_left_out;              /* columns of the result that are not printed */
    unsigned n_drawn;               /* figures that are files                     */
    bool intervals;                 /* energies are printed with their ±          */
};

/* --color wins over NO_COLOR, and both over what the terminal is. */
static bool colour_on(const struct gs_streams *s, int color, bool terminal)
{
    return color == GS_COLOR_ALWAYS || (color == GS_COLOR_AUTO && terminal && !s->no_color);
}

/* Columns that text has: --width, else those of the terminal that it goes to; 0: as many as it takes. */
static int columns_of(const struct session *n, bool terminal)
{
    if (n->r.common.width != 0)
        return (int)n->r.common.width;
    return terminal ? (int)n->streams->width : 0;
}

/* A message for people: broken between words where it goes to a terminal, and in one line where a program may read it. */
static void note_text(const struct gs_streams *s, int color, const char *paint, const char *kind,
                      const char *text)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_buf named = {.arena = &own}, b = {.arena = &own};
    const bool paints = paint[0] != '\0' && colour_on(s, color, s->err_terminal);
    gs_buf_text(&named, kind);
    gs_hints_put(&named, text, s->program);
    if (s->err_terminal && s->width > 0)
        (void)gs_wrap(&b, gs_or_empty(gs_buf_whole(&named)), (unsigned)strlen(s->program) + 2, 2,
                      s->width);
    else
        b = named;
    (void)fprintf(s->err, "%s%s:%s %s\n", paints ? paint : "", s->program, paints ? "\033[0m" : "",
                  b.failed || named.failed ? text : gs_or_empty(gs_buf_whole(&b)));
}

/*
 * "a.svg" as it is for the first figure, "a-2.svg" for the second. Names are a function of the
 * number alone, so claim_figures can check all of them before the first is drawn.
 */
static const char *figure_path(const struct session *n, unsigned number)
{
    const char *const path = n->r.common.plot;
    const char *const dot = strrchr(path, '.');
    struct gs_buf b = {.arena = n->r.arena};
    if (number == 1 || dot == NULL)
        return path;
    gs_buf_format(&b, "%.*s-%u%s", (int)(dot - path), path, number, dot);
    return gs_buf_whole(&b);
}

/* Prints one, or appends it to the line below; false: it is held back. */
static bool print_note(const struct session *n, const struct gs_note *k, struct gs_buf *more)
{
    const int color = n->r.common.color;
    const char *const text = gs_hints_for(n->r.command, k->text, n->r.arena);
    const bool shown = n->r.common.verbose || k->kind == GS_NOTE_UNUSED;
    if (gs_note_is_warning(k))
        note_text(n->streams, color, "\033[1;33m", "warning: ", text);
    else if (shown)
        note_text(n->streams, color, "", "note: ", text);
    else if (k->kind == GS_NOTE_UNCERTAINTY && n->intervals)
        gs_buf_format(more, "%s; ", k->text);
    else
        return false;
    return true;
}

/*
 * Warnings change the answer and are printed, so are files that it does not use, but where it lists them or there is
 * none; notes say what was done, and one line counts them. A view that left columns out says so there.
 */
static void note_notes(const struct session *n, const struct gs_notes *notes, enum gs_status s)
{
    const struct gs_common *const c = &n->r.common;
    const bool refused = s != GS_OK && s != GS_FINDINGS,
               no_files = refused || n->r.command == gs_command_find("map"); /* the overview, too */
    size_t n_held = 0;
    struct gs_buf more = {.arena = n->r.arena};
    if (c->quiet)
        return;
    for (const struct gs_note *k = notes->first; k != NULL; k = k->next)
        if (!no_files || k->kind != GS_NOTE_UNUSED)
            n_held += !print_note(n, k, &more);
    if (n->n_drawn > 1 && strcmp(c->plot, "-") != 0)
        gs_buf_format(&more, "drew %u figures, the last into %s; ", n->n_drawn,
                      figure_path(n, n->n_drawn));
    if (n->n_left_out > 0)
        gs_buf_format(&more, "%zu more column%s: --show all; ", n->n_left_out,
                      gs_plural(n->n_left_out, "", "s"));
    if (n_held > 0 && !refused) /* beside an error, what was read well is no news */
        gs_buf_format(&more, "%zu note%s: -v shows %s; ", n_held, gs_plural(n_held, "", "s"),
                      gs_plural(n_held, "it", "them"));
    gs_buf_char(&more, '\0');
    if (more.len > 2 && !more.failed) {
        more.ptr[more.len - 3] = '\0'; /* the last separator */
        note_text(n->streams, c->color, "", "", more.ptr);
    }
}

/* Standard output as a sink. A failure here is told from others by its text: there is no file name. */
static enum gs_status write_out(void *context, const char *bytes, size_t len, struct gs_err *err)
{
    FILE *const out = context;
    if (fwrite(bytes, 1, len, out) == len)
        return GS_OK;
    return gs_fail(err, GS_ERR_IO, "standard output: %s", strerror(errno));
}

/*
 * What was written has arrived only when the last close says so; a duplicate is closed, the
 * stream stays. Network file systems and quotas may refuse data as late as in close. Without
 * this check a truncated result would end with status 0.
 */
static enum gs_status finish_out(FILE *out, struct gs_err *err)
{
    if (fflush(out) != 0 || ferror(out))
        return gs_fail(err, GS_ERR_IO, "standard output: %s", strerror(errno));
    const int fd = fileno(out);
    if (fd < 0) /* a stream in memory */
        return GS_OK;
    const int copy = dup(fd);
    if (copy >= 0 && close(copy) != 0)
        return gs_fail(err, GS_ERR_IO, "standard output: %s", strerror(errno));
    return GS_OK;
}

/*
 * A file that cannot be made is said before the work, not after it. What is not a regular file
 * is not touched. Opens as the real write will, with a temporary file beside the target, and
 * abandons it. An existing file is not changed. The disk may still fill up later.
 */
static enum gs_status probe_output(const char *path, struct gs_err *err)
{
    struct stat st;
    struct gs_output o = {0};
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return GS_OK;
    const enum gs_status s = gs_output_open(&o, path, err);
    gs_output_abandon(&o);
    return s;
}

static enum gs_status check_outputs(const struct session *n, struct gs_err *err)
{
    const struct gs_common *const c = &n->r.common;
    enum gs_picture picture;
    if (c->plot != NULL && strcmp(c->plot, "-") != 0) {
        GS_TRY(gs_picture_of(c->plot, &picture, err));
        GS_TRY(probe_output(c->plot, err));
    }
    if (c->output != NULL && !n->r.command->writes_directory)
        GS_TRY(probe_output(c->output, err));
    return GS_OK;
}

/* The frames, or the document that stands for them. */
static enum gs_status write_result(const struct gs_frames *frames, enum gs_format format,
                                   const struct gs_render_options *options, struct gs_sink sink,
                                   struct gs_err *err)
{
    const bool document =
        frames->document.ptr != NULL && (format == GS_FORMAT_TABLE || format == GS_FORMAT_JSON);
    if (document)
        return gs_sink_write(sink, frames->document.ptr, frames->document.len, err);
    return gs_render(frames->first, format, options, sink, err);
}

/*
 * Nothing leaves where the bound did not hold, or memory ran out and somebody went on with what
 * there was. Some writers of labels ignore a buffer that could not grow. The count of failed
 * reservations catches all of them in one place, before anything is visible.
 */
static enum gs_status may_leave(const struct session *n, struct gs_err *err)
{
    if (n->bound.max == 0 && gs_memory_n_failed() > 0)
        return gs_fail_memory(err);
    return gs_memory_bound_check(&n->bound, err);
}

/*
 * The file of -o: whole, or not there. may_leave stands between writing and committing:
 * rendering may be what took too much memory.
 */
static enum gs_status print_file(struct session *n, const struct gs_frames *shown,
                                 const struct gs_render_options *options, struct gs_err *err)
{
    const struct gs_common *const c = &n->r.common;
    struct gs_output o = {0};
    enum gs_status s = gs_output_open(&o, c->output, err);
    GS_THEN(s, write_result(shown, (enum gs_format)c->format, options, gs_output_sink(&o), err));
    GS_THEN(s, may_leave(n, err));
    GS_THEN(s, gs_output_commit(&o, err));
    gs_output_abandon(&o);
    return s;
}

/* A person who asks for neither columns nor rows wants the answer. */
static bool may_be_brief(const struct gs_common *c)
{
    return c->format == GS_FORMAT_TABLE && c->show == NULL && c->sort == NULL && c->top == 0 &&
           c->filter.n == 0;
}

/* Times for people are in the zone of --tz; merge has set that of the parts. */
static void set_zone(struct gs_frame *first, const struct gs_request *r)
{
    for (struct gs_frame *f = first; f != NULL; f = f->next)
        if (f->zone == NULL)
            f->zone = gs_opts_zone(r->command->opts, r->parsed);
}

/*
 * The view works on a copy of the frame list, because --fail-if and figures use all columns; so do scripts of figures,
 * whose panels --show has chosen.
 * JSON and CSV that go to a terminal pass a filter for control characters; the same bytes in a
 * file or pipe stay as they are.
 */
static enum gs_status print_frames(struct session *n, const struct gs_frames *frames,
                                   struct gs_err *err)
{
    const struct gs_streams *const to = n->streams;
    const struct gs_common *const c = &n->r.common;
    const bool file = c->output != NULL && !n->r.command->writes_directory;
    const bool terminal = to->out_terminal && !file;
    const bool pixels = c->plot != NULL && c->width >= PICTURE_PX_MIN;
    const struct gs_view_options choice = {c->show, !gs_gives(&n->r.context, "show"),
                                           c->format == GS_FORMAT_TABLE, frames->noun};
    struct gs_view view = {.first = frames->first};
    struct gs_frames shown = *frames;
    if (frames->brief.ptr != NULL && may_be_brief(c))
        shown.document = frames->brief;
    if (!c->explain && shown.document.ptr == NULL && c->format != GS_FORMAT_GNUPLOT)
        GS_TRY(gs_view_frames(frames->first, &choice, n->r.arena, &view, err));
    shown.first = view.first;
    n->n_left_out = view.n_left_out;
    n->intervals = view.intervals;
    unsigned n_threads = n->r.context.n_threads;
    if (n->bound.max > 0)
        n_threads = gs_memory_threads(n->bound.max, n_threads);
    const struct gs_render_options options = {
        .width = pixels ? 0 : columns_of(n, terminal),
        .colour = colour_on(to, c->color, terminal),
        .unicode = terminal && to->unicode,
        .titles = c->format != GS_FORMAT_TABLE,
        .log_scale = c->log_scale,
        .csv_safe = c->csv_safe,
        .theme = (enum gs_theme)c->theme,
        .n_left_out = view.fits ? &n->n_left_out : NULL,
        .n_threads = n_threads,
    };
    if (shown.first == NULL)
        return GS_OK;
    if (!file) {
        struct gs_terminal_sink safe = {.to = gs_spool_sink(&n->spool)};
        struct gs_sink sink = safe.to;
        if (terminal && c->format != GS_FORMAT_TABLE) /* a table is safe, and has colours */
            sink = gs_terminal_sink(&safe);
        GS_TRY(write_result(&shown, (enum gs_format)c->format, &options, sink, err));
        return gs_terminal_sink_end(&safe, err);
    }
    return print_file(n, &shown, &options, err);
}

static struct gs_draw_options draw_options(const struct session *n, const struct gs_zone *zone)
{
    const struct gs_common *const c = &n->r.common;
    return (struct gs_draw_options){
        .theme = (enum gs_theme)c->theme,
        .log_scale = c->log_scale,
        .title = c->title,
        .zone = zone,
        .width_px = c->width >= PICTURE_PX_MIN ? (int)c->width : 0,
        .height_px = (int)c->height,
    };
}

static enum gs_status draw_one(struct session *n, const struct gs_frame *f,
                               const struct gs_plot *plot, unsigned number, struct gs_err *err)
{
    const struct gs_streams *const to = n->streams;
    const struct gs_common *const c = &n->r.common;
    if (strcmp(c->plot, "-") == 0) {
        const struct gs_sink sink = gs_spool_sink(&n->spool);
        const struct gs_terminal page = {
            .columns = columns_of(n, to->out_terminal),
            .unicode = to->out_terminal && to->unicode,
            .colour = colour_on(to, c->color, to->out_terminal),
            .log_scale = c->log_scale,
            .title = c->title,
            .zone = f->zone,
        };
        if (number > 1) { /* a line between figures */
            GS_TRY(gs_sink_write(sink, "\n", 1, err));
        }
        return gs_plot_terminal(f, plot, &page, sink, err);
    }
    const char *const path = figure_path(n, number);
    const struct gs_draw_options options = draw_options(n, f->zone);
    GS_TRY(gs_had_memory(path != NULL, err));
    return gs_plot_draw_file(f, plot, path, &options, err);
}

/* A picture that says nothing is not drawn: why, in the command's own words. */
static enum gs_status check_figures(const struct session *n, const struct gs_frames *frames,
                                    struct gs_err *err)
{
    const struct gs_common *const c = &n->r.common;
    if ((c->plot == NULL && c->format != GS_FORMAT_GNUPLOT) || c->explain)
        return GS_OK;
    for (const struct gs_frame *f = frames->first; f != NULL; f = f->next)
        if (f->plot != NULL)
            return GS_OK;
    const char *option = "--format gnuplot",
               *why = "with these options it prints no numbers to draw";
    if (c->plot != NULL)
        option = "--plot";
    if (n->r.command->no_figure != NULL)
        why = n->r.command->no_figure;
    return gs_fail(err, GS_ERR_USAGE, "%s: %s has no figure: %s", option, n->r.command->name, why);
}

/* Figures are of columns that are held. */
static enum gs_status retain_what_is_drawn(const struct session *n, struct gs_frames *frames,
                                           struct gs_err *err)
{
    if (!n->r.context.draws)
        return GS_OK;
    for (struct gs_frame *f = frames->first; f != NULL; f = f->next)
        if (f->plot != NULL)
            GS_TRY(gs_frame_load(f, n->r.arena, err));
    return GS_OK;
}

/* The second figure and those after it have names that nobody gave. */
static enum gs_status claim_figures(struct session *n, const struct gs_frames *frames,
                                    struct gs_err *err)
{
    unsigned number = 0;
    for (const struct gs_frame *f = frames->first; f != NULL && strcmp(n->r.common.plot, "-") != 0;
         f = f->next)
        for (const struct gs_plot *p = f->plot; p != NULL; p = p->next) {
            const char *path = "-";
            if (++number > 1)
                path = figure_path(n, number);
            GS_TRY(gs_had_memory(path != NULL, err));
            GS_TRY(gs_path_claim(&n->r.claims, GS_CLAIM_WRITE, "--plot", path, err));
        }
    return GS_OK;
}

/*
 * The figures that the command describes. All names are claimed first: a second figure must not
 * overwrite an input after the first was written.
 */
static enum gs_status draw(struct session *n, struct gs_frames *frames, struct gs_err *err)
{
    unsigned number = 0;
    GS_TRY(claim_figures(n, frames, err));
    for (const struct gs_frame *f = frames->first; f != NULL; f = f->next)
        for (const struct gs_plot *p = f->plot; p != NULL; p = p->next)
            GS_TRY(draw_one(n, f, p, ++number, err));
    n->n_drawn = number;
    return GS_OK;
}

static enum gs_status discard(void *context, const char *bytes, size_t len, struct gs_err *err)
{
    (void)context, (void)bytes, (void)len, (void)err;
    return GS_OK;
}

/* Under a bound figures are drawn for nobody first: what they take shows, and no file is there if it is too much. */
static enum gs_status try_drawing(const struct session *n, const struct gs_frames *frames,
                                  struct gs_err *err)
{
    const struct gs_sink nowhere = {discard, NULL};
    enum gs_picture picture = GS_PICTURE_SVG;
    /* what goes to standard output waits anyway */
    if (n->bound.max == 0 || strcmp(n->r.common.plot, "-") == 0)
        return GS_OK;
    GS_TRY(gs_picture_of(n->r.common.plot, &picture, err));
    for (const struct gs_frame *f = frames->first; f != NULL; f = f->next)
        for (const struct gs_plot *p = f->plot; p != NULL; p = p->next) {
            const struct gs_draw_options options = draw_options(n, f->zone);
            GS_TRY(gs_plot_draw(f, p, picture, &options, nowhere, err));
        }
    return gs_memory_bound_check(&n->bound, err);
}

/*
 * What is printed goes out only now that nothing can fail any more. A user who leaves the pager
 * early ends the run by SIGPIPE, without a message. A pager that does not start leaves the
 * plain way.
 */
static enum gs_status send_answer(struct session *n, struct gs_err *err)
{
    struct gs_pager pager = {0};
    const struct gs_streams *const to = n->streams;
    if (to->out_terminal && n->r.common.pager && gs_pager_wanted(&n->spool, to->lines) &&
        gs_pager_start(&pager, to->pager)) {
        const enum gs_status s =
            gs_spool_send(&n->spool, (struct gs_sink){write_out, pager.to}, err);
        gs_pager_finish(&pager);
        return s;
    }
    GS_TRY(gs_spool_send(&n->spool, (struct gs_sink){write_out, to->out}, err));
    return finish_out(to->out, err);
}

/*
 * What cannot wait until the end, such as the number of a job. Goes out before the answer is
 * complete, so it may only hold what stays true if the run fails later.
 */
static void tell_now(void *to, const char *text)
{
    const struct session *const n = to;
    if (n->r.common.quiet)
        return;
    note_text(n->streams, n->r.common.color, "", "note: ", text);
    (void)fflush(n->streams->err);
}

/*
 * The answer of the command, while a terminal shows how far it is. The progress line is removed
 * before the function returns, whatever happened. Messages would otherwise land behind it on
 * the same line.
 */
static enum gs_status compute(struct session *n, struct gs_frames *result, struct gs_err *err)
{
    struct gs_progress progress = {
        .err = n->streams->err, .what = n->r.command->name, .period_ms = 1000, .quiet_ms = 2000};
    if (n->streams->err_terminal && !n->r.common.quiet)
        gs_progress_start(&progress);
    n->r.context.progress = gs_progress_print;
    n->r.context.progress_line = &progress;
    n->r.context.tell = tell_now;
    n->r.context.tell_to = n;
    n->r.context.watched = n->streams->err_terminal && !n->r.common.quiet;
    n->r.context.temp_dir = n->streams->temp_dir;
    n->r.context.scratch = &n->scratch;
    n->r.context.bound = &n->bound;
    n->r.context.for_people = n->r.common.format == GS_FORMAT_TABLE && n->r.common.plot == NULL &&
                              n->r.common.sort == NULL;
    enum gs_status answer = gs_request_prepare(&n->r, err);
    if (answer == GS_OK)
        answer = n->r.command->run(n->r.parsed, &n->r.context, result, err);
    gs_progress_stop(&progress);
    return answer;
}

static bool draws_on_output(const struct gs_common *c)
{
    return c->plot != NULL && strcmp(c->plot, "-") == 0;
}

static enum gs_status draw_all(struct session *n, struct gs_frames *result, struct gs_err *err)
{
    struct gs_progress drawing = {
        .err = n->streams->err, .what = "drawing", .period_ms = 1000, .quiet_ms = 2000};
    if (n->streams->err_terminal && !n->r.common.quiet && !draws_on_output(&n->r.common))
        gs_progress_start(&drawing);
    enum gs_status s = try_drawing(n, result, err);
    GS_THEN(s, draw(n, result, err));
    gs_progress_stop(&drawing);
    return s;
}

static enum gs_status explain(struct session *n, const struct gs_frames *result,
                              struct gs_frames *explained, struct gs_err *err)
{
    const int format = n->r.common.format;
    GS_TRY(gs_explain(result, n->r.parsed, &n->r.context, explained, err));
    if (format == GS_FORMAT_CSV || format == GS_FORMAT_TSV)
        GS_TRY(gs_explain_as_one(explained, n->r.arena, err));
    return GS_OK;
}

/* Columns of cost first, because a figure may be of them; then the columns that figures are of are held. */
static enum gs_status complete(struct session *n, struct gs_frames *result, struct gs_err *err)
{
    GS_TRY(gs_costs_add(result, &n->r.context.rates, n->r.arena, err));
    GS_TRY(check_figures(n, result, err));
    if (n->r.context.draws && !n->r.common.explain && gs_gives(&n->r.context, "show"))
        GS_TRY(gs_panels_choose(result->first, n->r.common.show, n->r.arena, err));
    return retain_what_is_drawn(n, result, err);
}

/* Rows that --filter keeps, and whether one of them is what --fail-if names. */
static enum gs_status judge(struct session *n, struct gs_frames *result, bool *fails,
                            struct gs_err *err)
{
    const struct gs_common *const c = &n->r.common;
    for (size_t i = 0; i < c->filter.n; i++)
        GS_TRY(gs_filter(c->filter.item[i], result, n->r.arena, err));
    if (c->fail_if != NULL)
        GS_TRY(gs_fail_if(c->fail_if, result, fails, err));
    return GS_OK;
}

/*
 * The answer as it was asked for. A figure on standard output takes the place of the rows there;
 * a file of rows is written all the same.
 */
static enum gs_status present(struct session *n, struct gs_frames *result, struct gs_err *err)
{
    struct gs_frames explained = {.notes = {.arena = n->r.arena}};
    const struct gs_common *const c = &n->r.common;
    const bool drawn_instead = draws_on_output(c) && c->output == NULL;
    set_zone(result->first, &n->r);
    GS_TRY(gs_request_arrange(&n->r, result, err));
    if (c->explain)
        GS_TRY(explain(n, result, &explained, err));
    if (c->plot != NULL)
        GS_TRY(draw_all(n, result, err));
    if (!drawn_instead)
        GS_TRY(print_frames(n, c->explain ? &explained : result, err));
    GS_TRY(may_leave(n, err));
    return send_answer(n, err);
}

/*
 * The order is the contract of the program. Everything that can fail comes before send_answer,
 * so a failed run prints nothing on standard output. --fail-if looks at the rows that --filter
 * leaves, before --sort and --top. Figures and the file of -o are complete when the first byte is printed.
 * Notes come last, below the table.
 */
static enum gs_status compute_and_print(struct session *n, struct gs_err *err)
{
    struct gs_frames result = {.notes = {.arena = n->r.arena}};
    bool fails = false; /* by all rows, whatever --top shows of them */
    const enum gs_status answer = compute(n, &result, err);
    n->spool.most = n->bound.max > 0 ? SPOOL_BOUNDED : 0;
    enum gs_status s = answer;
    if (s == GS_FINDINGS)
        s = GS_OK;
    GS_THEN(s, complete(n, &result, err));
    if (s == GS_OK && !n->r.common.explain)
        s = judge(n, &result, &fails, err);
    GS_THEN(s, present(n, &result, err));
    gs_spool_release(&n->spool);
    gs_scratch_file_close(&n->scratch);
    note_notes(n, &result.notes, s);
    if (s != GS_OK)
        return s;
    return fails ? GS_FINDINGS : answer;
}

static enum gs_status print_text(const struct gs_streams *streams, const struct gs_buf *b,
                                 struct gs_err *err)
{
    GS_TRY(gs_had_memory(!b->failed, err));
    GS_TRY(write_out(streams->out, b->ptr, b->len, err));
    return finish_out(streams->out, err);
}

static enum gs_status print_help(const struct session *n, const struct gs_buf *help,
                                 struct gs_err *err)
{
    struct gs_buf named = {.arena = n->r.arena};
    gs_hints_put(&named, gs_or_empty(gs_buf_whole(help)), n->streams->program);
    named.failed |= help->failed;
    return print_text(n->streams, &named, err);
}

/*
 * Help is answered before defaults are read: a faulty gpustat.ini must not keep the user from
 * the help text.
 */
static enum gs_status run_command(struct session *n, const char *const *args, size_t n_args,
                                  struct gs_err *err)
{
    GS_TRY(gs_request_parse(&n->r, args, n_args, err));
    if (n->r.common.help) {
        struct gs_buf b = {.arena = n->r.arena};
        const unsigned width = n->streams->out_terminal ? n->streams->width : 0;
        gs_help_command(&b, n->r.command, width);
        return print_help(n, &b, err);
    }
    GS_TRY(gs_request_defaults(&n->r, &n->streams->defaults, args, n_args, err));
    GS_TRY(gs_request_check(&n->r, err));
    GS_TRY(check_outputs(n, err));
    return compute_and_print(n, err);
}

/* Words in lines of so many columns (0: any); a command to type, which begins with a blank, stays in one line. */
static enum gs_status print_next(struct session *n, struct gs_buf *next, unsigned columns,
                                 struct gs_err *err)
{
    struct gs_buf named = {.arena = n->r.arena}, b = {.arena = n->r.arena};
    gs_hints_put(&named, gs_or_empty(gs_buf_whole(next)), n->streams->program);
    for (struct gs_str rest = gs_buf_str(&named); rest.len > 0; gs_buf_char(&b, '\n')) {
        const struct gs_str line = gs_str_take(&rest, '\n');
        const char *const text = gs_or_empty(gs_arena_copy(b.arena, line.ptr, line.len));
        if (columns == 0 || *text == ' ')
            gs_buf_text(&b, text);
        else
            (void)gs_wrap(&b, text, 0, 0, columns);
    }
    GS_TRY(gs_had_memory(!next->failed && !named.failed && !b.failed, err));
    return gs_sink_write(gs_spool_sink(&n->spool), b.ptr, b.len, err);
}

/* Files without a command: what they are, as `map` finds out, and what to ask of them. */
static enum gs_status run_overview(struct session *n, const char *const *args, size_t n_args,
                                   struct gs_err *err)
{
    struct gs_buf paths = {.arena = n->r.arena}, next = {.arena = n->r.arena};
    struct gs_frames result = {.notes = {.arena = n->r.arena}};
    struct gs_kind_found *kind;
    struct gs_map map;
    n->r.command = gs_command_find("map");
    GS_TRY(gs_request_parse(&n->r, args, n_args, err));
    GS_TRY(gs_request_defaults(&n->r, &n->streams->defaults, args, n_args, err));
    GS_TRY(gs_request_check(&n->r, err));
    for (size_t i = 1; i < n->r.operands.n; i++) {
        const char *const name = n->r.operands.item[i];
        if (gs_command_find(name) != NULL && access(name, F_OK) != 0)
            return gs_fail(err, GS_ERR_NOINPUT, "%s: %s; the command comes first: gpustat %s %s",
                           name, strerror(ENOENT), name,
                           GS_SHOWN(gs_str(n->r.operands.item[0]), 96));
    }
    if (n->r.common.output != NULL)
        return gs_fail(err, GS_ERR_USAGE, "-o: name a command first, such as gpustat map");
    GS_TRY(gs_request_prepare(&n->r, err));
    GS_TRY(gs_map_of_command(n->r.parsed, &n->r.context, &map, &kind, &result.notes, err));
    gs_buf_text_if(&next, map.n_unused > 0, "\n");
    gs_map_put_unused(&next, &map);
    gs_buf_text_if(&next, map.n_unused > 0, ".\n");
    map.n_unused = 0;
    GS_TRY(gs_map_frame(&map, n->r.arena, &result, err));
    if (n->r.common.show == NULL && n->r.common.format != GS_FORMAT_TABLE)
        n->r.common.show = "files,role,form,rows,gpus,from,to";
    set_zone(result.first, &n->r);
    enum gs_status s = print_frames(n, &result, err);
    for (size_t i = 0; i < n->r.operands.n; i++) {
        gs_buf_text_if(&paths, i > 0, " ");
        gs_buf_escaped(&paths, gs_str(n->r.operands.item[i]), 0);
    }
    const unsigned columns = (unsigned)columns_of(n, n->streams->out_terminal);
    gs_overview_commands(&next, &map, kind, gs_or_empty(gs_buf_whole(&paths)),
                         columns > 0 ? columns : PROPOSALS_WIDTH);
    if (s == GS_OK && n->r.common.format == GS_FORMAT_TABLE)
        s = print_next(n, &next, columns, err);
    GS_THEN(s, send_answer(n, err));
    gs_spool_release(&n->spool);
    n->n_left_out = 0;
    note_notes(n, &result.notes, s);
    return s;
}

static enum gs_status run_builtin(const struct gs_builtin *k, struct session *n,
                                  const char *const *args, size_t n_args, struct gs_err *err)
{
    const char *operand[4] = {0};
    struct gs_buf b = {.arena = n->r.arena};
    const struct gs_opt_set set = {gs_common_opts, &n->r.common, NULL, false, NULL};
    struct gs_list operands = {0};
    GS_NEW(const char *, words, n_args + 1, n->r.arena, err);
    for (size_t i = 0; i < n_args; i++) {
        const bool all = strcmp(args[i], "-a") == 0 || strcmp(args[i], "--all") == 0;
        words[i] = args[i];
        if (all && strcmp(k->name, "help") == 0)
            words[i] = "all";
    }
    GS_TRY(gs_options_parse(&set, 1, words, n_args, &operands, n->r.arena, err));
    if (operands.n > k->operands_max)
        return gs_fail(err, GS_ERR_USAGE, "%s: '%s' is one operand too many", k->name,
                       GS_SHOWN(gs_str(operands.item[k->operands_max]), 200));
    for (size_t i = 0; i < operands.n; i++)
        operand[i] = operands.item[i];
    const unsigned width = (unsigned)columns_of(n, n->streams->out_terminal);
    if (n->r.common.help)
        gs_help_builtin(&b, k);
    else
        GS_TRY(gs_builtin_print(k, &b, operand, width, err));
    if (n->r.common.help || strcmp(k->name, "help") == 0)
        return print_help(n, &b, err);
    return print_text(n->streams, &b, err);
}

/* Names of commands win over names of files. A file called "power" can be given as ./power. */
static enum gs_status dispatch(struct session *n, int argc, const char *const *argv,
                               struct gs_err *err)
{
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        name = "version";
    if (name[0] == '-') {
        const char *const shown = GS_SHOWN(gs_str(name), 200);
        return gs_fail(err, GS_ERR_USAGE,
                       "'%s' stands before the command; options follow it: gpustat COMMAND %s",
                       shown, shown);
    }
    const struct gs_builtin *const k = gs_builtin_find(name);
    n->r.command = gs_command_find(name);
    if (k != NULL)
        return run_builtin(k, n, argv + 2, (size_t)argc - 2, err);
    if (n->r.command != NULL)
        return run_command(n, argv + 2, (size_t)argc - 2, err);
    if (access(name, F_OK) == 0 || errno == EIO)
        return run_overview(n, argv + 1, (size_t)argc - 1, err);
    return gs_fail_unknown_command(err, name);
}

/* The name that the program was called by, so that a hint never sends to another tool; a strange one is not shown. */
static const char *program_name(int argc, const char *const *argv)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
    if (argc < 1 || argv[0] == NULL)
        return "gpustat";
    const char *const name = argv[0] + gs_path_dir_len(argv[0]);
    if (name[0] == '\0' || name[0] == '-' || name[strspn(name, allowed)] != '\0')
        return "gpustat";
    return name;
}

/*
 * Reads no environment and never exits, so tests run it many times in one process. One arena
 * owns everything of the run and is released on every path.
 */
int gs_main(int argc, const char *const *argv, const struct gs_streams *given)
{
    struct gs_arena arena = {0};
    struct gs_err err = {0};
    struct gs_streams own = *given;
    const struct gs_streams *const streams = &own;
    if (own.program == NULL)
        own.program = program_name(argc, argv);
    struct session n = {.streams = streams, .spool = {.dir = streams->temp_dir}};
    gs_request_begin(&n.r, &arena, argv, streams->seed);
    n.r.temp_dir = streams->temp_dir;
    if (argc < 2) {
        struct gs_buf b = {.arena = &arena};
        gs_help_usage(&b);
        (void)fputs(gs_or_empty(gs_buf_whole(&b)), streams->err);
        gs_arena_release(&arena);
        return gs_exit_code(GS_ERR_USAGE);
    }
    const enum gs_status s = dispatch(&n, argc, argv, &err);
    if (s == GS_ERR_USAGE) {
        note_text(streams, n.r.common.color, "\033[1;31m", "", err.text);
        (void)fprintf(streams->err, "see '%s help", streams->program);
        if (n.r.command != NULL)
            (void)fprintf(streams->err, " %s", n.r.command->name);
        (void)fputs("'\n", streams->err);
    } else if (s != GS_OK && s != GS_FINDINGS) {
        note_text(streams, n.r.common.color, "\033[1;31m", "",
                  gs_hints_for(n.r.command, err.text, &arena));
    }
    gs_arena_release(&arena);
    return gs_exit_code(s);
}
