/* run.c - from a command line to an exit code: parse, compute, then print. */
#include "cli/run.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/common.h"
#include "args/explain.h"
#include "draw/gnuplot.h"
#include "base/claims.h"
#include "draw/terminal.h"
#include "base/parallel.h"
#include "base/spool.h"
#include "render/render.h"
#include "cli/help.h"
#include "cli/progress.h"
#include "cli/terminal_sink.h"
#include "args/suggest.h"

/* --width counts columns of a table, and from here on pixels of a picture. */
enum { PICTURE_PX_MIN = 240 };

/* One run of one command. */
struct session {
    const struct gs_streams *streams;
    const struct gs_command *command;
    struct gs_arena *arena;
    struct gs_common common;
    void *parsed; /* the command's own options */
    struct gs_context context;
    struct gs_claims claims;
    struct gs_spool spool; /* what goes to standard output once nothing can fail any more */
};

static bool colour_on(const struct gs_streams *s, int color, bool terminal)
{
    return color == GS_COLOR_ALWAYS || (color == GS_COLOR_AUTO && terminal && !s->no_color);
}

static void say(const struct gs_streams *s, int color, const char *paint, const char *kind, const char *text)
{
    const bool painted = paint[0] != '\0' && colour_on(s, color, s->err_terminal);
    (void)fprintf(s->err, "%s%s:%s %s%s\n", painted ? paint : "", s->program, painted ? "\033[0m" : "", kind, text);
}

static void say_error(const struct gs_streams *s, int color, const struct gs_err *err)
{
    say(s, color, "\033[1;31m", "", err->text);
}

static void say_notes(const struct session *n, const struct gs_notes *notes)
{
    if (n->common.quiet)
        return;
    for (const struct gs_note *k = notes->first; k != NULL; k = k->next) {
        const bool warning = k->kind == GS_NOTE_WARNING;
        say(n->streams, n->common.color, warning ? "\033[1;33m" : "",
            warning ? "warning: " : "note: ", k->text);
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

/* What was written has arrived only when the last close says so; a duplicate is closed, the stream stays. */
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

static enum gs_status check_operands(const struct session *n, const struct gs_list *operands,
                                     struct gs_err *err)
{
    const struct gs_command *const c = n->command;
    char shown[200];
    if (operands->n < c->operands_min)
        return gs_fail(err, GS_ERR_USAGE, "%s: needs %s", c->name, c->operands);
    if (operands->n > c->operands_max) {
        (void)gs_escape(shown, sizeof shown, gs_str(operands->item[c->operands_max]));
        return gs_fail(err, GS_ERR_USAGE, "%s: '%s' is one operand too many%s%s", c->name, shown,
                       c->operands_max == 0 ? "" : "; it takes ", c->operands_max == 0 ? "" : c->operands);
    }
    for (size_t i = 0; i < operands->n; i++)
        if (operands->item[i][0] == '\0')
            return gs_fail(err, GS_ERR_USAGE, "%s: an operand is empty; it takes %s", c->name, c->operands);
    return c->has_actions ? gs_command_check_action(c, operands->item[0], err) : GS_OK;
}

/* A file that cannot be made is said before the work, not after it. What is not a regular file is not
 * touched. */
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

/* The files that options name, in what is read or written alone: the others get in the way of these. */
static enum gs_status claim_options(struct session *n, const struct gs_opt *opts, const void *target,
                                    enum gs_file_use use, struct gs_err *err)
{
    enum gs_status s = GS_OK;
    for (const struct gs_opt *o = opts; s == GS_OK && o != NULL && o->kind != GS_OPT_END; o++) {
        struct gs_list list = {0};
        const char *path = NULL;
        if ((o->kind != GS_OPT_FILE && o->kind != GS_OPT_FILES) || o->use != use)
            continue;
        if (o->kind == GS_OPT_FILES) {
            memcpy(&list, (const char *)target + o->offset, sizeof list);
        } else {
            memcpy(&path, (const char *)target + o->offset, sizeof path);
            list = (struct gs_list){&path, path != NULL};
        }
        const bool is_output = o->offset == offsetof(struct gs_common, output) && opts == gs_common_opts;
        const enum gs_claim_use claim = use == GS_FILE_READ                                  ? GS_CLAIM_READ
                                        : is_output && n->command->writes_directory ? GS_CLAIM_WRITE_DIR
                                                                                    : GS_CLAIM_WRITE;
        struct gs_buf role = {.arena = n->arena};
        if (o->short_name != 0)
            gs_buf_format(&role, "-%c", o->short_name);
        else
            gs_buf_format(&role, "--%s", o->name);
        for (size_t i = 0; s == GS_OK && i < list.n; i++)
            s = role.failed ? gs_fail_memory(err) : gs_claim(&n->claims, claim, role.ptr, list.item[i], err);
    }
    return s;
}

/* No file may be read and written, or written twice. What a directory holds is claimed when it is searched. */
static enum gs_status claim_files(struct session *n, const struct gs_list *operands, struct gs_err *err)
{
    enum gs_status s = claim_options(n, gs_common_opts, &n->common, GS_FILE_WRITTEN, err);
    if (s == GS_OK)
        s = claim_options(n, n->command->opts, n->parsed, GS_FILE_WRITTEN, err);
    if (s == GS_OK)
        s = claim_options(n, n->command->opts, n->parsed, GS_FILE_READ, err);
    for (size_t i = n->command->has_actions ? 1 : 0; s == GS_OK && i < operands->n; i++)
        s = gs_claim(&n->claims, GS_CLAIM_READ, NULL, operands->item[i], err);
    return s;
}

static enum gs_status check_outputs(const struct session *n, struct gs_err *err)
{
    const struct gs_common *const c = &n->common;
    enum gs_picture picture;
    enum gs_status s = GS_OK;
    if (c->plot != NULL && strcmp(c->plot, "-") != 0) {
        s = gs_picture_of(c->plot, &picture, err);
        if (s == GS_OK)
            s = probe_output(c->plot, err);
    }
    if (s == GS_OK && c->output != NULL && !n->command->writes_directory)
        s = probe_output(c->output, err);
    return s;
}

/* Adds to the failure of --sort the column that a part of it is nearest to. */
static enum gs_status hint_at_column(const char *sort, const struct gs_frames *frames, struct gs_err *err)
{
    for (const char *part = sort; *part != '\0'; part += strspn(part, ",")) {
        const size_t end = strcspn(part, ","), len = strcspn(part, ",:");
        struct gs_suggestion near = {.word = {part, len}};
        bool known = false;
        for (const struct gs_frame *f = frames->first; f != NULL; f = f->next)
            for (size_t c = 0; c < f->n_columns; c++) {
                known |= gs_str_eq(near.word, gs_str(f->columns[c].spec->name));
                gs_suggestion_try(&near, f->columns[c].spec->name);
            }
        char shown[200];
        if (!known && len > 2 && near.best != NULL)
            return gs_fail(err, GS_ERR_USAGE, "--sort: no column '%s'; did you mean '%s'?",
                           gs_escape(shown, sizeof shown, near.word), near.best);
        part += end;
    }
    return GS_ERR_USAGE;
}

/* --sort and --top. A column needs to be in one of the frames only; those without it keep their order. */
static enum gs_status arrange(const struct session *n, struct gs_frames *frames, struct gs_err *err)
{
    enum gs_status s = GS_OK;
    bool sorted = false;
    for (struct gs_frame *f = frames->first; f != NULL && n->common.sort != NULL; f = f->next) {
        s = gs_frame_sort(f, n->common.sort, n->arena, err);
        if (s != GS_OK && s != GS_ERR_USAGE)
            return s;
        sorted |= s == GS_OK;
    }
    if (s != GS_OK && !sorted)
        return hint_at_column(n->common.sort, frames, err);
    for (struct gs_frame *f = frames->first; f != NULL && n->common.top != 0; f = f->next)
        gs_frame_top(f, (size_t)n->common.top);
    return GS_OK;
}

/* The frames, or the document that stands for them. */
static enum gs_status write_result(const struct gs_frames *frames, enum gs_format format,
                                   const struct gs_render_options *options, struct gs_sink sink, struct gs_err *err)
{
    const bool document = frames->document.ptr != NULL && (format == GS_FORMAT_TABLE || format == GS_FORMAT_JSON);
    return document ? gs_sink_write(sink, frames->document.ptr, frames->document.len, err)
                    : gs_render(frames->first, format, options, sink, err);
}

static enum gs_status print_frames(struct session *n, const struct gs_frames *frames,
                                   struct gs_err *err)
{
    const struct gs_streams *const to = n->streams;
    const struct gs_common *const c = &n->common;
    const bool file = c->output != NULL && !n->command->writes_directory;
    const bool terminal = to->out_terminal && !file;
    const unsigned own_width = terminal ? to->width : 0;
    const bool pixels = c->plot != NULL && c->width >= PICTURE_PX_MIN;
    const struct gs_render_options options = {
        .width = pixels ? 0 : c->width != 0 ? (int)c->width : (int)own_width,
        .colour = colour_on(to, c->color, terminal),
        .unicode = terminal && to->unicode,
        .titles = c->format != GS_FORMAT_TABLE,
        .log_scale = c->log_scale,
        .theme = (enum gs_theme)c->theme,
        .n_threads = n->context.n_threads,
    };
    if (frames->first == NULL)
        return GS_OK;
    if (!file) {
        struct gs_terminal_sink safe = {.to = gs_spool_sink(&n->spool)};
        const bool as_it_is = !terminal || c->format == GS_FORMAT_TABLE; /* a table is safe, and has colours */
        const enum gs_status shown = write_result(frames, (enum gs_format)c->format, &options,
                                                  as_it_is ? safe.to : gs_terminal_sink(&safe), err);
        return shown == GS_OK ? gs_terminal_sink_end(&safe, err) : shown;
    }
    struct gs_output o = {0};
    enum gs_status s = gs_output_open(&o, c->output, err);
    if (s == GS_OK)
        s = write_result(frames, (enum gs_format)c->format, &options, gs_output_sink(&o), err);
    if (s == GS_OK)
        s = gs_output_commit(&o, err);
    gs_output_abandon(&o);
    return s;
}

/* "a.svg" as it is for the first figure, "a-2.svg" for the second. */
static const char *figure_path(const struct session *n, unsigned number)
{
    const char *const path = n->common.plot;
    const char *const dot = strrchr(path, '.');
    struct gs_buf b = {.arena = n->arena};
    if (number == 1 || dot == NULL)
        return path;
    gs_buf_format(&b, "%.*s-%u%s", (int)(dot - path), path, number, dot);
    return b.failed ? NULL : b.ptr;
}

static enum gs_status draw_one(struct session *n, const struct gs_frame *f, const struct gs_plot *plot,
                               unsigned number, struct gs_err *err)
{
    const struct gs_streams *const to = n->streams;
    const struct gs_common *const c = &n->common;
    const bool picture = c->width >= PICTURE_PX_MIN && strcmp(c->plot, "-") != 0;
    const struct gs_draw_options options = {
        .theme = (enum gs_theme)c->theme,
        .log_scale = c->log_scale,
        .title = c->title,
        .width_px = picture ? (int)c->width : 0,
        .height_px = (int)c->height,
    };
    if (strcmp(c->plot, "-") == 0) {
        const struct gs_sink sink = gs_spool_sink(&n->spool);
        const struct gs_terminal page = {
            .columns = c->width != 0 ? (int)c->width : to->out_terminal ? (int)to->width : 0,
            .unicode = to->out_terminal && to->unicode,
            .colour = colour_on(to, c->color, to->out_terminal),
            .log_scale = c->log_scale,
            .title = c->title,
        };
        return to->out_terminal && to->sixel ? gs_plot_draw(f, plot, GS_PICTURE_SIXEL, &options, sink, err)
                                             : gs_plot_terminal(f, plot, &page, sink, err);
    }
    const char *const path = figure_path(n, number);
    return path == NULL ? gs_fail_memory(err) : gs_plot_draw_file(f, plot, path, &options, err);
}

/* A picture that says nothing is not drawn: why, in the command's own words. */
static enum gs_status check_figures(const struct session *n, const struct gs_frames *frames, struct gs_err *err)
{
    const struct gs_common *const c = &n->common;
    if ((c->plot == NULL && c->format != GS_FORMAT_GNUPLOT) || c->explain)
        return GS_OK;
    for (const struct gs_frame *f = frames->first; f != NULL; f = f->next)
        if (f->plot != NULL)
            return GS_OK;
    const char *const why = n->command->no_figure;
    return gs_fail(err, GS_ERR_USAGE, "%s: %s has no figure: %s", c->plot != NULL ? "--plot" : "--format gnuplot",
                   n->command->name, why != NULL ? why : "with these options it prints no numbers to draw");
}

/* The second figure and those after it have names that nobody gave. */
static enum gs_status claim_figures(struct session *n, const struct gs_frames *frames, struct gs_err *err)
{
    unsigned number = 0;
    enum gs_status s = GS_OK;
    for (const struct gs_frame *f = frames->first; f != NULL && strcmp(n->common.plot, "-") != 0; f = f->next)
        for (const struct gs_plot *p = f->plot; p != NULL && s == GS_OK; p = p->next) {
            const char *const path = ++number > 1 ? figure_path(n, number) : "-";
            s = path == NULL ? gs_fail_memory(err) : gs_claim(&n->claims, GS_CLAIM_WRITE, "--plot", path, err);
        }
    return s;
}

/* The figures that the command describes. */
static enum gs_status draw(struct session *n, struct gs_frames *frames, struct gs_err *err)
{
    unsigned number = 0;
    enum gs_status s = claim_figures(n, frames, err);
    for (const struct gs_frame *f = frames->first; f != NULL; f = f->next)
        for (const struct gs_plot *p = f->plot; p != NULL && s == GS_OK; p = p->next)
            s = draw_one(n, f, p, ++number, err);
    if (s == GS_OK && number > 1 && strcmp(n->common.plot, "-") != 0)
        gs_note(&frames->notes, GS_NOTE_INFO, "drew %u figures, the last into %s", number, figure_path(n, number));
    return s;
}

static enum gs_status compute_and_print(struct session *n, struct gs_err *err)
{
    struct gs_frames result = {.notes = {.arena = n->arena}}, explained = {.notes = {.arena = n->arena}};
    struct gs_progress progress = {.err = n->streams->err, .what = n->command->name, .period_ms = 1000};
    if (n->streams->err_terminal && !n->common.quiet)
        gs_progress_start(&progress);
    n->context.progress = gs_progress_say;
    n->context.progress_line = &progress;
    const enum gs_status answer = n->command->run(n->parsed, &n->context, &result, err);
    gs_progress_stop(&progress);
    enum gs_status s = answer == GS_FINDINGS ? GS_OK : answer;
    if (s == GS_OK)
        s = check_figures(n, &result, err);
    if (s == GS_OK)
        s = arrange(n, &result, err);
    if (s == GS_OK && n->common.explain)
        s = gs_explain(&result, n->command, n->parsed, n->arena, &explained, err);
    if (s == GS_OK && n->common.explain && (n->common.format == GS_FORMAT_CSV || n->common.format == GS_FORMAT_TSV))
        s = gs_explain_as_one(&explained, n->arena, err);
    if (s == GS_OK && n->common.plot != NULL) {
        struct gs_progress drawing = {.err = n->streams->err, .what = "drawing", .period_ms = 1000};
        if (n->streams->err_terminal && !n->common.quiet && strcmp(n->common.plot, "-") != 0)
            gs_progress_start(&drawing);
        s = draw(n, &result, err);
        gs_progress_stop(&drawing);
    }
    /* A figure on standard output takes the place of the rows there; a file of rows is written all the same.
     */
    const bool drawn_instead =
        n->common.plot != NULL && strcmp(n->common.plot, "-") == 0 && n->common.output == NULL;
    if (s == GS_OK && !drawn_instead)
        s = print_frames(n, n->common.explain ? &explained : &result, err);
    if (s == GS_OK)
        s = gs_spool_send(&n->spool, (struct gs_sink){write_out, n->streams->out}, err);
    if (s == GS_OK)
        s = finish_out(n->streams->out, err);
    gs_spool_release(&n->spool);
    say_notes(n, &result.notes);
    return s == GS_OK ? answer : s;
}

static enum gs_status print_text(const struct gs_streams *streams, const struct gs_buf *b, struct gs_err *err)
{
    if (b->failed)
        return gs_fail_memory(err);
    const enum gs_status s = write_out(streams->out, b->ptr, b->len, err);
    return s == GS_OK ? finish_out(streams->out, err) : s;
}

/* Where --format is not given, the ending of -o says which. */
static void choose_format(struct session *n)
{
    const char *const path = n->command->writes_directory ? NULL : n->common.output;
    if (n->common.format >= 0)
        return;
    n->common.format = GS_FORMAT_TABLE;
    for (int k = 0; path != NULL && k < GS_N_FORMATS; k++) {
        const char *const suffix = gs_format_info((enum gs_format)k)->suffix;
        const size_t len = strlen(path), n_suffix = strlen(suffix);
        if (len > n_suffix && gs_str_eq_nocase(gs_str(path + len - n_suffix), gs_str(suffix)))
            n->common.format = k;
    }
}

/* The command line behind `--`: its options of output are this session's. */
static enum gs_status parse_inner(struct session *n, const struct gs_list *words, struct gs_err *err)
{
    struct gs_inner_command *const inner = &n->context.inner;
    inner->command = gs_command_find(words->item[0]);
    if (inner->command == NULL)
        return gs_fail_unknown_command(err, words->item[0]);
    if (inner->command->folds == NULL)
        return gs_fail(err, GS_ERR_USAGE, "%s: %s has no shards", n->command->name, inner->command->name);
    inner->parsed = gs_arena_take(n->arena, 1, inner->command->opts_size);
    if (inner->parsed == NULL)
        return gs_fail_memory(err);
    if (inner->command->defaults != NULL)
        memcpy(inner->parsed, inner->command->defaults, inner->command->opts_size);
    const struct gs_opt_set sets[] = {{inner->command->opts, inner->parsed, &inner->given, false},
                                      {gs_common_opts, &n->common, NULL, false}};
    enum gs_status s =
        gs_options_parse(sets, 2, words->item + 1, words->n - 1, &inner->operands, n->arena, err);
    if (s == GS_OK && inner->operands.n > inner->command->operands_max)
        s = gs_fail(err, GS_ERR_USAGE, "%s: more operands than %s takes", n->command->name, inner->command->name);
    return s;
}

static enum gs_status run_command(struct session *n, const char *const *args, size_t n_args,
                                  struct gs_err *err)
{
    const struct gs_command *const c = n->command;
    struct gs_list operands = {0};
    n->parsed = gs_arena_take(n->arena, 1, c->opts_size);
    if (n->parsed == NULL)
        return gs_fail_memory(err);
    if (c->defaults != NULL)
        memcpy(n->parsed, c->defaults, c->opts_size);
    const bool shards = c->operands != NULL && strncmp(c->operands, "[DIR", 4) == 0;
    const struct gs_opt_set sets[] = {{c->opts, n->parsed, &n->context.given, shards}, {gs_common_opts, &n->common, NULL, false}};
    enum gs_status s = gs_options_parse(sets, 2, args, n_args, &operands, n->arena, err);
    if (s != GS_OK)
        return s;
    if (n->common.help) {
        struct gs_buf b = {.arena = n->arena};
        gs_help_command(&b, c, n->streams->out_terminal ? n->streams->width : 0);
        return print_text(n->streams, &b, err);
    }
    choose_format(n);
    s = check_operands(n, &operands, err);
    if (s == GS_OK && c->wraps_command)
        s = parse_inner(n, &operands, err);
    if (s == GS_OK)
        s = claim_files(n, &operands, err);
    if (s == GS_OK)
        s = check_outputs(n, err);
    if (s != GS_OK)
        return s;
    if (c->operands_max > 0)
        memcpy((char *)n->parsed + c->operands_offset, &operands, sizeof operands);
    n->context.n_threads = n->common.threads == 0 ? gs_processors() : (unsigned)n->common.threads;
    n->context.command = c;
    n->context.find = gs_command_find;
    n->context.output = n->common.output;
    n->context.title = n->common.title;
    n->context.dark = n->common.theme != GS_THEME_LIGHT;
    n->context.draws = n->common.plot != NULL || n->common.format == GS_FORMAT_GNUPLOT;
    return compute_and_print(n, err);
}

static enum gs_status run_builtin(const struct gs_builtin *k, struct session *n, const char *const *args,
                                  size_t n_args, struct gs_err *err)
{
    const char *operand[4] = {0};
    struct gs_buf b = {.arena = n->arena};
    char shown[200];
    const struct gs_opt_set set = {gs_common_opts, &n->common, NULL, false};
    struct gs_list operands = {0};
    enum gs_status s = gs_options_parse(&set, 1, args, n_args, &operands, n->arena, err);
    if (s != GS_OK)
        return s;
    if (operands.n > k->operands_max) {
        (void)gs_escape(shown, sizeof shown, gs_str(operands.item[k->operands_max]));
        return gs_fail(err, GS_ERR_USAGE, "%s: '%s' is one operand too many", k->name, shown);
    }
    for (size_t i = 0; i < operands.n; i++)
        operand[i] = operands.item[i];
    const unsigned own_width = n->streams->out_terminal ? n->streams->width : 0;
    const unsigned width = n->common.width != 0 ? (unsigned)n->common.width : own_width;
    if (n->common.help)
        gs_buf_format(&b, "Usage: gpustat %s%s%s\n\n%s\n", k->name, k->operands[0] == '\0' ? "" : " ",
                      k->operands, k->summary);
    else
        s = gs_builtin_print(k, &b, operand, width, err);
    return s == GS_OK ? print_text(n->streams, &b, err) : s;
}

static enum gs_status dispatch(struct session *n, int argc, const char *const *argv, struct gs_err *err)
{
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        name = "version";
    if (name[0] == '-') {
        char shown[200];
        (void)gs_escape(shown, sizeof shown, gs_str(name));
        return gs_fail(err, GS_ERR_USAGE,
                       "'%s' stands before the command; options follow it: gpustat COMMAND %s", shown, shown);
    }
    const struct gs_builtin *const k = gs_builtin_find(name);
    n->command = gs_command_find(name);
    if (k != NULL)
        return run_builtin(k, n, argv + 2, (size_t)argc - 2, err);
    if (n->command != NULL)
        return run_command(n, argv + 2, (size_t)argc - 2, err);
    return gs_fail_unknown_command(err, name);
}

/* The name that the program was called by, so that a hint never sends to another tool; a strange one is not shown. */
static const char *program_name(int argc, const char *const *argv)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
    const char *const slash = argc < 1 || argv[0] == NULL ? NULL : strrchr(argv[0], '/');
    const char *const name = slash != NULL ? slash + 1 : argc < 1 || argv[0] == NULL ? "" : argv[0];
    return name[0] == '\0' || name[0] == '-' || name[strspn(name, allowed)] != '\0' ? "gpustat" : name;
}

int gs_main(int argc, const char *const *argv, const struct gs_streams *given)
{
    struct gs_arena arena = {0};
    struct gs_err err = {0};
    struct gs_streams own = *given;
    const struct gs_streams *const streams = &own;
    if (own.program == NULL)
        own.program = program_name(argc, argv);
    struct session n = {
        .streams = streams,
        .arena = &arena,
        .common = gs_common_defaults,
        .context = {.arena = &arena, .seed = streams->seed, .argv = argv, .version = GPUSTAT_VERSION},
        .claims = {.arena = &arena},
        .spool = {.dir = streams->temp_dir},
    };
    n.context.claims = &n.claims;
    if (argc < 2) {
        struct gs_buf b = {.arena = &arena};
        gs_help_usage(&b);
        (void)fputs(b.failed ? "" : b.ptr, streams->err);
        gs_arena_release(&arena);
        return gs_exit_code(GS_ERR_USAGE);
    }
    const enum gs_status s = dispatch(&n, argc, argv, &err);
    if (s != GS_OK && s != GS_FINDINGS)
        say_error(streams, n.common.color, &err);
    if (s == GS_ERR_USAGE)
        (void)fprintf(streams->err, "see '%s help%s%s'\n", streams->program, n.command == NULL ? "" : " ",
                      n.command == NULL ? "" : n.command->name);
    gs_arena_release(&arena);
    return gs_exit_code(s);
}
