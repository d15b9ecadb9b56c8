/* commands.h - the table of commands. */
#pragma once

#include "app/options/command.h"

/* Every command, in the order of the help; NULL at the end. */
extern const struct gs_command *const gs_commands[];

/* The command of that name, or NULL. */
const struct gs_command *gs_command_find(const char *name);

/* Is `word` one of its actions? Errors: GS_ERR_USAGE "forest: no action 'tran'; did you mean 'train'?" */
enum gs_status gs_command_check_action(const struct gs_command *c, const char *word,
                                       struct gs_err *err);
