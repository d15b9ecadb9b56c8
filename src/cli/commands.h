/* commands.h - the table of commands. */
#ifndef GPUSTAT_COMMANDS_H
#define GPUSTAT_COMMANDS_H

#include "args/command.h"

/* Every command, in the order of the help; NULL at the end. */
extern const struct gs_command *const gs_commands[];

/* The command of that name, or NULL. */
const struct gs_command *gs_command_find(const char *name);

#endif
