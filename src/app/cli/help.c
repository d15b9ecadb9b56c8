/* help.c - the help for people at a terminal. */
#include "app/cli/help.h"

#include <string.h>

#include "app/cli/commands.h"
#include "app/cli/common.h"
#include "app/cli/texts.h"
#include "base/num/order.h"
#include "output/text/width.h"

enum { WIDTH_MIN = 40, WIDTH_DEFAULT = 80, WIDTH_MAX = 100, HELP_COLUMN = 26 };

unsigned gs_help_width(unsigned width)
{
    if (width == 0)
        return WIDTH_DEFAULT;
    if (width < WIDTH_MIN)
        return WIDTH_MIN;
    return gs_min(WIDTH_MAX, width);
}

static void pad(struct gs_buf *b, unsigned n)
{
    while (n-- > 0)
        gs_buf_char(b, ' ');
}

unsigned gs_wrap(struct gs_buf *b, const char *text, unsigned column, unsigned indent,
                 unsigned width)
{
    bool first = true;
    for (const char *p = text; *p != '\0';) {
        const size_t len = strcspn(p, " \n");
        const unsigned word = (unsigned)gs_text_width((struct gs_str){p, len});
        if (!first && column + 1 + word > width) {
            gs_buf_char(b, '\n');
            pad(b, indent);
            column = indent;
        } else if (!first) {
            gs_buf_char(b, ' ');
            column++;
        }
        gs_buf_bytes(b, p, len);
        column += word;
        first = false;
        p += len;
        p += strspn(p, " \n");
    }
    return column;
}

/* Paragraphs are separated by blank lines; one that begins with a blank is shown as it stands. */
static void wrap_paragraphs(struct gs_buf *b, const char *text, unsigned indent, unsigned width)
{
    for (const char *p = text; *p != '\0';) {
        const char *const gap = strstr(p, "\n\n");
        const size_t len = gap == NULL ? strlen(p) : (size_t)(gap - p);
        if (*p == ' ') {
            gs_buf_bytes(b, p, len);
        } else {
            const char *const copy = gs_arena_copy(b->arena, p, len);
            pad(b, indent);
            if (copy == NULL)
                b->failed = true;
            else
                (void)gs_wrap(b, copy, indent, indent, width);
        }
        gs_buf_char(b, '\n');
        p += len + strspn(p + len, "\n");
        if (*p != '\0')
            gs_buf_char(b, '\n');
    }
}

/* "  left         right, wrapped": right starts at HELP_COLUMN, on a line of its own where left is long. */
static void two_columns(struct gs_buf *b, const char *left, const char *right, unsigned width)
{
    const unsigned left_columns = (unsigned)gs_text_width(gs_str(left));
    gs_buf_text(b, "  ");
    gs_buf_text(b, left);
    if (left_columns + 4 > HELP_COLUMN) {
        gs_buf_char(b, '\n');
        pad(b, HELP_COLUMN);
    } else {
        pad(b, HELP_COLUMN - 2 - left_columns);
    }
    (void)gs_wrap(b, right, HELP_COLUMN, HELP_COLUMN, width);
    gs_buf_char(b, '\n');
}

static void show_option(struct gs_buf *b, const struct gs_opt *o, const void *defaults,
                        unsigned width)
{
    struct gs_buf left = {.arena = b->arena}, right = {.arena = b->arena};
    if (o->short_name != '\0')
        gs_buf_format(&left, "-%c, --%s", o->short_name, o->name);
    else
        gs_buf_format(&left, "    --%s", o->name);
    if (gs_opt_has_value(o)) {
        gs_buf_char(&left, ' ');
        gs_opt_show_arg(&left, o);
    }
    gs_buf_text(&right, o->help);
    if (o->kind == GS_OPT_CHOICE && o->arg != NULL) {
        gs_buf_text(&right, ": ");
        for (size_t i = 0; o->choices[i] != NULL; i++) {
            gs_buf_text_if(&right, i > 0, ", ");
            gs_buf_text(&right, o->choices[i]);
        }
    }
    struct gs_buf value = {.arena = b->arena};
    if (gs_opt_show_default(&value, o, defaults))
        gs_buf_format(&right, " (default %s)", value.ptr);
    if (left.failed || right.failed || value.failed) {
        b->failed = true;
        return;
    }
    two_columns(b, gs_buf_whole(&left), right.ptr, width);
}

/* Headings stand in the tables in small letters, as all their texts do. */
static void heading(struct gs_buf *b, const char *text)
{
    gs_buf_char(b, '\n');
    gs_buf_capital(b, text);
    gs_buf_text(b, ":\n");
}

static void show_options(struct gs_buf *b, const char *title, const struct gs_opt *opts,
                         const void *defaults, unsigned width)
{
    if (opts == NULL || opts->kind == GS_OPT_END)
        return;
    if (opts->kind != GS_OPT_GROUP)
        heading(b, title);
    for (const struct gs_opt *o = opts; o->kind != GS_OPT_END; o++)
        if (o->kind == GS_OPT_GROUP)
            heading(b, o->help);
        else
            show_option(b, o, defaults, width);
}

void gs_help_usage(struct gs_buf *b)
{
    gs_buf_text(b, "Usage: gpustat COMMAND [OPTION]... [FILE]...\n"
                   "Analyses the telemetry that GPU runs leave behind.\n"
                   "\n"
                   "  gpustat DIR            what is there, and which commands fit\n"
                   "  gpustat help           the commands that most people need\n"
                   "  gpustat help COMMAND   one command, its options and examples\n");
}

void gs_help_short(struct gs_buf *b, unsigned width)
{
    static const char *const most[] = {"events", "gpus", "power", "stragglers",
                                       "jobs",   "diff", "check", "report"};
    static const char *const more[][2] = {
        {"gpustat help COMMAND", "its options and examples"},
        {"gpustat help -a", "all commands and options"},
        {"gpustat help TOPIC", "tutorial, columns, energy, formats, studies, scale, ci"},
    };
    width = gs_help_width(width);
    gs_buf_text(b, "Usage: gpustat COMMAND [OPTION]... [FILE]...\n\n");
    wrap_paragraphs(b,
                    "What a GPU run cost in time and energy, and which GPUs are slow.\n\n"
                    "Start with gpustat DIR: what is there, and which commands fit.",
                    0, width);
    gs_buf_text(b, "\nCommands that most people need:\n");
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        const struct gs_command *const c = gs_command_find(most[i]);
        two_columns(b, c->name, c->summary, width);
    }
    gs_buf_text(b, "\nMost used options:\n");
    for (const struct gs_opt *o = gs_common_opts; o->kind != GS_OPT_END; o++)
        if (strstr(" format output show sort top plot verbose ", o->name) != NULL)
            show_option(b, o, &gs_common_defaults, width);
    gs_buf_text(b, "\nMore:\n");
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        two_columns(b, more[i][0], more[i][1], width);
}

void gs_help_version(struct gs_buf *b)
{
    gs_buf_text(b, "gpustat " GPUSTAT_VERSION " (GPU run analysis)\n"
                   "Reads what a finished run left behind: events, power, temperature, tasks.\n"
                   "This is not the tool of the same name that shows the live status of GPUs.\n");
}

static const char *group_of(const struct gs_command *c)
{
    return c->group != NULL ? c->group : "Commands";
}

static void show_group(struct gs_buf *b, const char *group, unsigned width)
{
    heading(b, group);
    for (size_t i = 0; gs_commands[i] != NULL; i++) {
        const struct gs_command *const c = gs_commands[i];
        if (strcmp(group_of(c), group) == 0)
            two_columns(b, c->name, c->summary, width);
    }
}

void gs_help_program(struct gs_buf *b, unsigned width)
{
    width = gs_help_width(width);
    gs_buf_text(b, "Usage: gpustat COMMAND [OPTION]... [FILE]...\n\n");
    (void)gs_wrap(b, gs_text_help_about, 0, 0, width);
    gs_buf_char(b, '\n');
    for (size_t i = 0; gs_commands[i] != NULL; i++) {
        const char *const group = group_of(gs_commands[i]);
        bool shown = false;
        for (size_t k = 0; k < i && !shown; k++)
            shown = strcmp(group_of(gs_commands[k]), group) == 0;
        if (!shown)
            show_group(b, group, width);
    }
    gs_buf_text(b, "\nAbout gpustat:\n");
    for (const struct gs_builtin *k = gs_builtins; k->name != NULL; k++)
        if (!k->hidden)
            two_columns(b, k->name, k->summary, width);
    show_options(b, "Options of every command", gs_common_opts, &gs_common_defaults, width);
    gs_buf_char(b, '\n');
    (void)gs_wrap(b, gs_text_help_status, 0, 0, width);
    gs_buf_char(b, '\n');
}

void gs_help_builtin(struct gs_buf *b, const struct gs_builtin *k)
{
    gs_buf_format(b, "Usage: gpustat %s", k->name);
    gs_buf_text_if(b, k->operands[0] != '\0', " ");
    gs_buf_format(b, "%s\n\n%s\n", k->operands, k->summary);
}

void gs_help_command(struct gs_buf *b, const struct gs_command *c, unsigned width)
{
    width = gs_help_width(width);
    const char *const operands = gs_or_empty(c->operands);
    gs_buf_format(b, "Usage: gpustat %s [OPTION]...", c->name);
    gs_buf_text_if(b, operands[0] != '\0', " ");
    gs_buf_format(b, "%s\n\ngpustat %s: ", operands, c->name);
    (void)gs_wrap(b, c->summary, (unsigned)strlen(c->name) + 10, 0, width);
    gs_buf_char(b, '\n');
    if (c->description != NULL) {
        gs_buf_char(b, '\n');
        wrap_paragraphs(b, c->description, 0, width);
    }
    show_options(b, "Options", c->opts, c->defaults, width);
    show_options(b, "Options of every command", gs_common_opts_beside(c->opts, b->arena),
                 &gs_common_defaults, width);
    if (c->examples != NULL && c->examples->command != NULL)
        gs_buf_text(b, "\nExamples:\n");
    for (const struct gs_example *e = c->examples; e != NULL && e->command != NULL; e++) {
        gs_buf_format(b, "  %s\n      ", e->command);
        (void)gs_wrap(b, e->what, 6, 6, width);
        gs_buf_char(b, '\n');
    }
}
