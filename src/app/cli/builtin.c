/* builtin.c - help, version, completion, man: the commands that speak of gpustat itself. */
#include <string.h>

#include "app/cli/commands.h"
#include "app/cli/guide.h"
#include "app/cli/help.h"
#include "base/core/suggest.h"

/* What people call a command before they know its name. */
static const struct {
    const char *word, *command;
} other_words[] = {{"compare", "diff"},    {"energy", "power"},  {"cost", "power"},
                   {"users", "jobs"},      {"throttle", "gpus"}, {"throttling", "gpus"},
                   {"slow", "stragglers"}, {"idle", "balance"},  {"steps", "events"}};

enum gs_status gs_fail_unknown_command(struct gs_err *err, const char *name)
{
    struct gs_suggestion near = {.word = gs_str(name)};
    for (size_t i = 0; gs_commands[i] != NULL; i++)
        gs_suggestion_try(&near, gs_commands[i]->name);
    for (const struct gs_builtin *k = gs_builtins; k->name != NULL; k++)
        if (!k->hidden)
            gs_suggestion_try(&near, k->name);
    for (size_t i = 0; i < sizeof other_words / sizeof *other_words; i++)
        if (strcmp(name, other_words[i].word) == 0)
            near.best = other_words[i].command;
    const char *const shown = GS_SHOWN(near.word, 200);
    if (near.best == NULL && strpbrk(name, "./") != NULL)
        return gs_fail(err, GS_ERR_NOINPUT, "%s: No such file or directory", shown);
    if (near.best == NULL)
        return gs_fail(err, GS_ERR_USAGE, "unknown command '%s'", shown);
    return gs_fail(err, GS_ERR_USAGE, "unknown command '%s'; did you mean '%s'?", shown, near.best);
}

/* A guide, or the list of formats; false where there is no such topic. */
static bool print_topic(struct gs_buf *b, const char *name, unsigned width)
{
    const struct gs_guide *const guide = gs_guide_find(name);
    if (guide != NULL)
        gs_guide_text(b, guide, gs_help_width(width));
    else if (strcmp(name, "formats") == 0)
        gs_help_formats(b, width);
    return guide != NULL || strcmp(name, "formats") == 0;
}

static enum gs_status print_help(struct gs_buf *b, const char *const *operand, unsigned width,
                                 struct gs_err *err)
{
    const char *const name = operand[0];
    if (name == NULL) {
        gs_help_short(b, width);
        return GS_OK;
    }
    if (strcmp(name, "all") == 0) {
        gs_help_program(b, width);
        return GS_OK;
    }
    if (print_topic(b, name, width))
        return GS_OK;
    const struct gs_command *const c = gs_command_find(name);
    const struct gs_builtin *const k = gs_builtin_find(name);
    if (operand[1] != NULL && (c == NULL || !c->has_actions))
        return gs_fail(err, GS_ERR_USAGE, "help: '%s' is one operand too many",
                       GS_SHOWN(gs_str(operand[1]), 200));
    if (operand[1] != NULL)
        GS_TRY(gs_command_check_action(c, operand[1], err));
    if (c != NULL)
        gs_help_command(b, c, width);
    else if (k != NULL)
        gs_help_builtin(b, k);
    else
        return gs_fail_unknown_command(err, name);
    return GS_OK;
}

static enum gs_status print_version(struct gs_buf *b, const char *const *operand, unsigned width,
                                    struct gs_err *err)
{
    (void)operand, (void)width, (void)err;
    gs_help_version(b);
    return GS_OK;
}

/* The name that the program was installed under goes into scripts and pages unquoted. */
static enum gs_status check_program(const char *name, const char **program, struct gs_err *err)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
    *program = "gpustat";
    if (name != NULL)
        *program = name;
    if (**program != '\0' && **program != '-' && (*program)[strspn(*program, allowed)] == '\0')
        return GS_OK;
    return gs_fail(err, GS_ERR_USAGE, "'%s' is no name for a program", GS_SHOWN(gs_str(name), 200));
}

static enum gs_status print_completion(struct gs_buf *b, const char *const *operand, unsigned width,
                                       struct gs_err *err)
{
    static const struct {
        const char *name;
        void (*print)(struct gs_buf *b, const char *program);
    } shells[] = {
        {"bash", gs_completion_bash}, {"zsh", gs_completion_zsh}, {"fish", gs_completion_fish}};
    const char *program;
    (void)width;
    GS_TRY(check_program(operand[1], &program, err));
    if (operand[0] == NULL)
        return gs_fail(err, GS_ERR_USAGE, "completion: needs bash, zsh or fish");
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, operand[0]) == 0) {
            shells[i].print(b, program);
            return GS_OK;
        }
    return gs_fail(err, GS_ERR_USAGE, "completion: '%s' must be bash, zsh or fish",
                   GS_SHOWN(gs_str(operand[0]), 200));
}

static enum gs_status print_man(struct gs_buf *b, const char *const *operand, unsigned width,
                                struct gs_err *err)
{
    const char *program;
    (void)width;
    GS_TRY(check_program(operand[1], &program, err));
    if (operand[0] == NULL || strcmp(operand[0], "-") == 0) {
        gs_man_page(b, NULL, program);
        return GS_OK;
    }
    if (strcmp(operand[0], "formats") == 0) {
        gs_man_formats(b, program);
        return GS_OK;
    }
    const struct gs_guide *const guide = gs_guide_find(operand[0]);
    if (guide != NULL) {
        gs_guide_man(b, guide, program);
        return GS_OK;
    }
    const struct gs_command *const c = gs_command_find(operand[0]);
    if (c == NULL)
        return gs_fail_unknown_command(err, operand[0]);
    gs_man_page(b, c, program);
    return GS_OK;
}

static enum gs_status print_commands(struct gs_buf *b, const char *const *operand, unsigned width,
                                     struct gs_err *err)
{
    (void)operand, (void)width, (void)err;
    for (size_t i = 0; gs_commands[i] != NULL; i++)
        gs_buf_format(b, "%s\t%s\n", gs_commands[i]->name, gs_or_empty(gs_commands[i]->operands));
    gs_buf_text(b, "");
    return GS_OK;
}

/* Every example of the manual that reads nothing but data/, so that the tests can run it. */
static enum gs_status print_examples(struct gs_buf *b, const char *const *operand, unsigned width,
                                     struct gs_err *err)
{
    (void)operand, (void)width, (void)err;
    for (size_t i = 0; gs_commands[i] != NULL; i++)
        for (const struct gs_example *e = gs_commands[i]->examples; e != NULL && e->command != NULL;
             e++)
            gs_buf_format(b, "%s\n", e->command);
    gs_buf_text(b, "");
    return GS_OK;
}

static enum gs_status print_guides(struct gs_buf *b, const char *const *operand, unsigned width,
                                   struct gs_err *err)
{
    (void)operand, (void)width, (void)err;
    for (const struct gs_guide *g = gs_guides; g->name != NULL; g++)
        gs_buf_format(b, "%s\n", g->name);
    return GS_OK;
}

typedef enum gs_status print_fn(struct gs_buf *b, const char *const *operand, unsigned width,
                                struct gs_err *err);

static const struct {
    const char *name;
    print_fn *print;
} printers[] = {
    {"help", print_help},    {"version", print_version},   {"completion", print_completion},
    {"man", print_man},      {"commands", print_commands}, {"examples", print_examples},
    {"guides", print_guides}};

enum gs_status gs_builtin_print(const struct gs_builtin *k, struct gs_buf *b,
                                const char *const *operand, unsigned width, struct gs_err *err)
{
    for (size_t i = 0; i < sizeof printers / sizeof *printers; i++)
        if (strcmp(printers[i].name, k->name) == 0)
            return printers[i].print(b, operand, width, err);
    return gs_fail(err, GS_ERR_INTERNAL, "%s: nothing prints it", k->name);
}
