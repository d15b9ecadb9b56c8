/* builtin_names.c - the commands that speak of gpustat itself, as help, manual and completions list them. */
#include <string.h>

#include "app/cli/help.h"

const struct gs_builtin gs_builtins[] = {
    {"help", "[-a | COMMAND | TOPIC]",
     "the commands that most people need, -a: all, or one with its options", 2, false},
    {"version", "", "which gpustat this is", 0, false},
    {"completion", "bash|zsh|fish [PROGRAM]", "a completion script for a shell", 2, false},
    {"man", "[COMMAND|- [PROGRAM]]", "the source of a manual page", 2, true},
    {"commands", "", "names and operands of the commands, tab separated", 0, true},
    {"guides", "", "the names of the guides, one a line", 0, true},
    {"examples", "", "the examples of every command, one a line", 0, true},
    {0},
};

const struct gs_builtin *gs_builtin_find(const char *name)
{
    for (const struct gs_builtin *k = gs_builtins; k->name != NULL; k++)
        if (strcmp(k->name, name) == 0)
            return k;
    return NULL;
}
