/* commands.c - the one place that names every command. */
#include "app/cli/commands.h"

#include <string.h>

#include "app/options/suggest.h"

/* In the order of `gpustat help`. One line each, so that two additions do not meet. */
extern const struct gs_command gs_cmd_events;
extern const struct gs_command gs_cmd_zoom;
extern const struct gs_command gs_cmd_gpus;
extern const struct gs_command gs_cmd_correlate;
extern const struct gs_command gs_cmd_summary;
extern const struct gs_command gs_cmd_join;
extern const struct gs_command gs_cmd_check;
extern const struct gs_command gs_cmd_bias;
extern const struct gs_command gs_cmd_balance;
extern const struct gs_command gs_cmd_jobs;
extern const struct gs_command gs_cmd_timeline;
extern const struct gs_command gs_cmd_schedule;
extern const struct gs_command gs_cmd_tiles;
extern const struct gs_command gs_cmd_clusters;
extern const struct gs_command gs_cmd_stragglers;
extern const struct gs_command gs_cmd_diff;
extern const struct gs_command gs_cmd_map;
extern const struct gs_command gs_cmd_report;
extern const struct gs_command gs_cmd_split;
extern const struct gs_command gs_cmd_merge;
extern const struct gs_command gs_cmd_slurm;
extern const struct gs_command gs_cmd_power;
extern const struct gs_command gs_cmd_proportionality;
extern const struct gs_command gs_cmd_validate;
extern const struct gs_command gs_cmd_sweep;
extern const struct gs_command gs_cmd_crosstalk;
extern const struct gs_command gs_cmd_forest;

const struct gs_command *const gs_commands[] = {
    &gs_cmd_events,
    &gs_cmd_zoom,
    &gs_cmd_gpus,
    &gs_cmd_correlate,
    &gs_cmd_summary,
    &gs_cmd_join,
    &gs_cmd_check,
    &gs_cmd_bias,
    &gs_cmd_balance,
    &gs_cmd_jobs,
    &gs_cmd_timeline,
    &gs_cmd_schedule,
    &gs_cmd_tiles,
    &gs_cmd_clusters,
    &gs_cmd_stragglers,
    &gs_cmd_diff,
    &gs_cmd_map,
    &gs_cmd_report,
    &gs_cmd_split,
    &gs_cmd_merge,
    &gs_cmd_slurm,
    &gs_cmd_power,
    &gs_cmd_proportionality,
    &gs_cmd_validate,
    &gs_cmd_sweep,
    &gs_cmd_crosstalk,
    &gs_cmd_forest,
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
    char shown[200];
    for (size_t i = 0; c->actions[i] != NULL; i++) {
        if (strcmp(c->actions[i], word) == 0)
            return GS_OK;
        gs_suggestion_try(&near, c->actions[i]);
    }
    (void)gs_escape(shown, sizeof shown, near.word);
    return gs_fail(err, GS_ERR_USAGE,
                   near.best == NULL ? "%s: no action '%s'"
                                     : "%s: no action '%s'; did you mean '%s'?",
                   c->name, shown, near.best);
}
