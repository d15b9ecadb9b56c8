/* help.h - every text about the program itself, made from the tables of options and commands. */
#pragma once

#include "app/options/command.h"

/* What is not a command over data: prints text about gpustat. */
struct gs_builtin {
    const char *name;
    const char *operands;
    const char *summary;
    size_t operands_max;
    bool hidden; /* from the help: for packagers and tests */
};

/* Ends in a NULL name. */
extern const struct gs_builtin gs_builtins[];
const struct gs_builtin *gs_builtin_find(const char *name);

/* Appends its text for `operand` ([operands_max], NULL where not given), `width` columns wide. */
enum gs_status gs_builtin_print(const struct gs_builtin *k, struct gs_buf *b,
                                const char *const *operand, unsigned width, struct gs_err *err);

/* "unknown command 'evnets'; did you mean 'events'?" */
enum gs_status gs_fail_unknown_command(struct gs_err *err, const char *name);

/* Plain text, wrapped at `width` columns (held within 40 and 100; 0: 80). */
void gs_help_usage(struct gs_buf *b);
void gs_help_short(struct gs_buf *b, unsigned width);   /* what most people need  */
void gs_help_program(struct gs_buf *b, unsigned width); /* every command and option */
void gs_help_formats(struct gs_buf *b, unsigned width); /* what files can be        */
unsigned gs_help_width(unsigned width);                 /* within the bounds above  */
void gs_help_command(struct gs_buf *b, const struct gs_command *c, unsigned width);

/* The usage of a word that is no command, such as version. */
void gs_help_builtin(struct gs_buf *b, const struct gs_builtin *k);
void gs_help_version(struct gs_buf *b);

/* roff source of gpustat(1), where `c` is NULL, or of gpustat-NAME(1). `program` is the installed name. */
void gs_man_page(struct gs_buf *b, const struct gs_command *c, const char *program);

/* roff source of gpustat-formats(5). */
void gs_man_formats(struct gs_buf *b, const char *program);

/* Completion scripts for a program installed under that name. */
void gs_completion_bash(struct gs_buf *b, const char *program);
void gs_completion_zsh(struct gs_buf *b, const char *program);
void gs_completion_fish(struct gs_buf *b, const char *program);

/*
 * Appends `text` wrapped at blanks, every line after the first indented by `indent`; `column` is where
 * the text starts. Returns the column after it.
 */
unsigned gs_wrap(struct gs_buf *b, const char *text, unsigned column, unsigned indent,
                 unsigned width);
