/* hints.h - options that messages propose, for the command that was given. */
#ifndef GPUSTAT_HINTS_H
#define GPUSTAT_HINTS_H

#include "app/options/command.h"

/*
 * The message as `c` can follow it: an option that the command lacks and `map` has becomes "gpustat map --option", because a
 * command that reads runs takes a map, too. The text itself where nothing is lacking, or without memory.
 */
const char *gs_hints_for(const struct gs_command *c, const char *text, struct gs_arena *arena);

/* Appends the text with each "gpustat" that begins a command line as the program is called. */
void gs_hints_put(struct gs_buf *b, const char *text, const char *program);

#endif
