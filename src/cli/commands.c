/* commands.c - the one place that names every command. */
#include "commands.h"

#include <string.h>

extern const struct gs_command gs_cmd_power;

const struct gs_command *const gs_commands[] = {
    &gs_cmd_power,
    NULL,
};

const struct gs_command *gs_command_find(const char *name)
{
    for (size_t i = 0; gs_commands[i] != NULL; i++)
        if (strcmp(gs_commands[i]->name, name) == 0)
            return gs_commands[i];
    return NULL;
}
