/* man.c - manual pages in man(7), from the same tables as the help. */

#include "app/cli/commands.h"
#include "app/cli/common.h"
#include "app/cli/help.h"
#include "app/cli/roff.h"
#include "app/cli/texts.h"
#include "data/result/number_text.h"

static void option(struct gs_buf *b, const struct gs_opt *o, const void *defaults)
{
    struct gs_buf arg = {.arena = b->arena}, value = {.arena = b->arena};
    gs_buf_text(b, ".TP\n");
    if (o->short_name != '\0')
        gs_buf_format(b, "\\fB\\-%c\\fR, ", o->short_name);
    gs_buf_format(b, "\\fB\\-\\-%s\\fR", gs_roff_literal(b, o->name));
    if (gs_opt_has_value(o)) {
        gs_opt_show_arg(&arg, o);
        gs_buf_format(b, " \\fI%s\\fR", gs_roff_literal(b, gs_buf_piece(b, &arg)));
    }
    gs_buf_char(b, '\n');
    gs_roff(b, gs_str(o->help), GS_ROFF_PROSE, true);
    if (o->kind == GS_OPT_CHOICE && o->arg != NULL)
        for (size_t i = 0; o->choices[i] != NULL; i++)
            gs_buf_format(b, "%s%s", i == 0 ? ": " : ", ", gs_roff_literal(b, o->choices[i]));
    if (gs_opt_show_default(&value, o, defaults))
        gs_buf_format(b, " (default %s)", gs_roff_literal(b, gs_buf_piece(b, &value)));
    gs_buf_text(b, "\n");
}

static void options(struct gs_buf *b, const char *heading, const struct gs_opt *opts,
                    const void *defaults)
{
    if (heading != NULL && opts->kind != GS_OPT_GROUP)
        gs_roff_subsection(b, heading);
    for (const struct gs_opt *o = opts; o->kind != GS_OPT_END; o++)
        if (o->kind == GS_OPT_GROUP)
            gs_roff_subsection(b, o->help);
        else
            option(b, o, defaults);
}

static void title(struct gs_buf *b, const char *program, const char *command)
{
    gs_buf_text(b, ".TH ");
    gs_buf_upper(b, program);
    gs_buf_upper(b, command);
    gs_buf_format(b,
                  " 1 " GPUSTAT_RELEASED " \"gpustat " GPUSTAT_VERSION
                  "\" \"User Commands\"\n.SH NAME\n%s%s \\- ",
                  gs_roff_literal(b, program), gs_roff_literal(b, command));
}

static void exit_status(struct gs_buf *b)
{
    static const struct {
        const char *code, *what;
    } rows[] = {
        {"0", "done"},
        {"1", "done, and the answer is that something is wrong (check)"},
        {"2", "the command line does not make sense"},
        {"65", "an input is malformed; the message names file, line and column"},
        {"66", "an input does not exist or cannot be read"},
        {"69", "gnuplot or libxgboost is needed and not there"},
        {"70", "a bug in gpustat"},
        {"71", "memory or another system resource ran out"},
        {"73", "an output cannot be created"},
        {"74", "reading or writing failed half-way, such as on a full disk"},
        {"75", "a cluster is busy or failing: try again later"},
    };
    gs_buf_text(b, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        gs_buf_format(b, ".TP\n%s\n%s\n", rows[i].code, rows[i].what);
}

static void program_page(struct gs_buf *b, const char *program)
{
    title(b, program, "");
    gs_buf_format(b,
                  "GPU run analysis: what events, GPUs and tasks cost in time and energy\n"
                  ".SH SYNOPSIS\n.B %s\n\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIFILE\\fR]...\n"
                  ".SH DESCRIPTION\n",
                  gs_roff_literal(b, program));
    gs_roff_paragraphs(b, gs_text_program_about);
    gs_buf_text(b, ".SH COMMANDS\n");
    for (size_t i = 0; gs_commands[i] != NULL; i++) {
        gs_buf_format(b, ".TP\n\\fB%s\\fR\n", gs_roff_literal(b, gs_commands[i]->name));
        gs_roff_prose(b, gs_commands[i]->summary);
    }
    for (const struct gs_builtin *k = gs_builtins; k->name != NULL; k++) {
        if (k->hidden)
            continue;
        gs_buf_format(b, ".TP\n\\fB%s\\fR", gs_roff_literal(b, k->name));
        if (k->operands[0] != '\0')
            gs_buf_format(b, " \\fI%s\\fR", gs_roff_literal(b, k->operands));
        gs_buf_char(b, '\n');
        gs_roff_prose(b, k->summary);
    }
    gs_buf_text(b, ".SH OPTIONS\nEvery command takes these.\n");
    options(b, NULL, gs_common_opts, &gs_common_defaults);
    exit_status(b);
    gs_buf_text(
        b,
        ".SH ENVIRONMENT\n"
        ".TP\n\\fBNO_COLOR\\fR\nno colour, unless \\fB\\-\\-color always\\fR asks for it\n"
        ".TP\n\\fBCOLUMNS\\fR, \\fBLINES\\fR\nthe size of the terminal, instead of the detected "
        "itself\n"
        ".TP\n\\fBTMPDIR\\fR\nwhere a long result is held until it is complete, /tmp if not set\n"
        ".TP\n\\fBLC_CTYPE\\fR\nwhether the terminal shows Unicode; no number or time depends on "
        "it\n");
    gs_buf_text(b, ".SH SEE ALSO\n");
    for (size_t i = 0; gs_commands[i] != NULL; i++)
        gs_buf_format(b, ".BR %s\\-%s (1) ,\n", gs_roff_literal(b, program),
                      gs_roff_literal(b, gs_commands[i]->name));
    gs_buf_text(b, ".BR gnuplot (1)\n");
}

static void command_page(struct gs_buf *b, const struct gs_command *c, const char *program)
{
    const char *const dashed = gs_format(b->arena, "-%s", c->name);
    if (dashed == NULL) {
        b->failed = true;
        return;
    }
    title(b, program, dashed);
    gs_roff_prose(b, c->summary);
    gs_buf_format(b, ".SH SYNOPSIS\n.B %s %s\n[\\fIOPTION\\fR]...", gs_roff_literal(b, program),
                  gs_roff_literal(b, c->name));
    if (c->operands != NULL && c->operands[0] != '\0')
        gs_buf_format(b, " \\fI%s\\fR", gs_roff_literal(b, c->operands));
    gs_buf_text(b, "\n.SH DESCRIPTION\n");
    gs_roff_paragraphs(b, c->description == NULL ? c->summary : c->description);
    gs_buf_text(b, ".SH OPTIONS\n");
    if (c->opts != NULL && c->opts->kind != GS_OPT_END)
        options(b, "Options of this command", c->opts, c->defaults);
    options(b, "Options of every command", gs_common_opts_beside(c->opts, b->arena),
            &gs_common_defaults);
    exit_status(b);
    if (c->examples != NULL && c->examples->command != NULL)
        gs_buf_text(b, ".SH EXAMPLES\n");
    for (const struct gs_example *e = c->examples; e != NULL && e->command != NULL; e++) {
        gs_buf_format(b, ".TP\n\\fB%s\\fR\n", gs_roff_literal(b, e->command));
        gs_roff_prose(b, e->what);
    }
    gs_buf_format(b, ".SH SEE ALSO\n.BR %s (1)\n", gs_roff_literal(b, program));
}

void gs_man_page(struct gs_buf *b, const struct gs_command *c, const char *program)
{
    gs_buf_text(b, ".\\\" Made from the tables of options by `gpustat man`; do not edit.\n");
    if (c == NULL)
        program_page(b, program);
    else
        command_page(b, c, program);
}
