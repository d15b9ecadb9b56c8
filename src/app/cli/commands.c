/* commands.c - the table of commands, and how one is found. */
#include "app/cli/commands.h"

#include <string.h>

#include "base/core/suggest.h"

const struct gs_command *const gs_commands[] = {
#define GS_COMMAND_ROW(word) &gs_cmd_##word,
#include "app/options/commands.def"
#undef GS_COMMAND_ROW
    NULL,
};

const struct gs_command *gs_command_find(const char *name)
{
    for (size_t i = 0; gs_commands[i] != NULL; i++)
        if (strcmp(gs_commands[i]->name, name) == 0)
            return gs_commands[i];
    return NULL;
}

enum gs_status gs_command_check_action(const struct gs_command *c, const char *word,
                                       struct gs_err *err)
{
    struct gs_suggestion near = {.word = gs_str(word)};
    for (size_t i = 0; c->actions[i] != NULL; i++) {
        if (strcmp(c->actions[i], word) == 0)
            return GS_OK;
        gs_suggestion_try(&near, c->actions[i]);
    }
    const char *const shown = GS_SHOWN(near.word, 200);
    if (near.best == NULL)
        return gs_fail(err, GS_ERR_USAGE, "%s: no action '%s'", c->name, shown);
    return gs_fail(err, GS_ERR_USAGE, "%s: no action '%s'; did you mean '%s'?", c->name, shown,
                   near.best);
}
