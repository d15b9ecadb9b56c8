/* gpustat check - what is wrong with the data, with counts, places and hints. */
#include <stdio.h>
#include <string.h>

#include "app/passes/fold_command.h"
#include "analysis/check/check.h"
#include "base/core/suggest.h"
#include "input/bytes/bytes.h"

struct check_opts {
    struct gs_run_opts run;
    struct gs_list accept, accept_file;
};

static const struct gs_opt opts[] = {
    GS_OPTS_DATASET,
    {0, NULL, GS_OPT_GROUP, 0, .help = "known findings"},
    {0, "accept", GS_OPT_LIST, offsetof(struct check_opts, accept), .arg = "ID[,ID]",
     .help = "findings that are known: shown as accepted, and no reason for exit status 1"},
    {0, "accept-file", GS_OPT_FILES, offsetof(struct check_opts, accept_file), .arg = "FILE",
     .help = "the same from a file, one ID a line, # begins a comment"},
    GS_OPTS_SCALE,
    {0},
};

static const struct check_opts defaults = {
    .run = {.dataset = {.duplicates = GS_DUPLICATES_DROP, .counts_once = true}}};

/* --- what is known ------------------------------------------------------------------------------------- */

enum { ACCEPT_FILE_MAX = 1 << 20 };
#define BLANKS " \t\r"

/* Where an id stands: an option, or a line of a file. */
struct origin {
    const char *name;
    size_t line; /* 0: an option */
};

/*
 * An unknown id is an error: a misspelt one would silently accept nothing, and the check would
 * fail for a reason that the user believes settled.
 */
static enum gs_status accept_id(struct gs_str id, const struct origin *from,
                                struct gs_accepted *accepted, struct gs_err *err)
{
    char shown[120], place[40] = "";
    enum gs_finding f;
    if (gs_finding_of_id(id, &f)) {
        accepted->kind[f] = true;
        return GS_OK;
    }
    struct gs_suggestion near = {.word = id};
    for (int k = 0; k < GS_N_FINDINGS; k++)
        gs_suggestion_try(&near, gs_finding_id((enum gs_finding)k));
    gs_escape(shown, sizeof shown, id);
    if (from->line > 0)
        (void)snprintf(place, sizeof place, ":%zu", from->line);
    const enum gs_status s = from->line > 0 ? GS_ERR_DATA : GS_ERR_USAGE;
    if (near.best == NULL)
        return gs_fail(
            err, s,
            "%s%s: '%s' is not the id of a finding; they stand in the column id of gpustat check",
            from->name, place, shown);
    return gs_fail(err, s, "%s%s: '%s' is not the id of a finding; did you mean '%s'?", from->name,
                   place, shown, near.best);
}

static enum gs_status accept_list(const char *text, size_t len, struct gs_accepted *accepted,
                                  struct gs_err *err)
{
    const struct origin from = {"--accept", 0};
    enum gs_status s = GS_OK;
    for (size_t i = 0, begin = 0; s == GS_OK && i <= len; i++)
        if (i == len || text[i] == ',') {
            s = accept_id(gs_str_strip((struct gs_str){text + begin, i - begin}, BLANKS), &from,
                          accepted, err);
            begin = i + 1;
        }
    return s;
}

static enum gs_status accept_lines(const char *name, struct gs_str text,
                                   struct gs_accepted *accepted, struct gs_err *err)
{
    struct origin from = {name, 0};
    while (text.len > 0) {
        struct gs_str line = gs_str_take(&text, '\n');
        const struct gs_str id = gs_str_strip(gs_str_take(&line, '#'), BLANKS);
        from.line++;
        if (id.len > 0)
            GS_TRY(accept_id(id, &from, accepted, err));
    }
    return GS_OK;
}

static enum gs_status accept_file(const char *path, struct gs_arena *scratch,
                                  struct gs_accepted *accepted, struct gs_err *err)
{
    const char *const name = gs_escaped(scratch, gs_file_called(gs_str(path)), 0);
    struct gs_str text;
    GS_TRY(gs_had_memory(name != NULL, err));
    GS_TRY(gs_bytes_all(path, ACCEPT_FILE_MAX,
                        "longer than 1 MiB, expected one id of a finding on each line", scratch,
                        &text, err));
    return accept_lines(name, text, accepted, err);
}

/* Ids of --accept, and those of files: one a line, blank lines and what follows a '#' aside. */
static enum gs_status options(const void *parsed, void *of_fold, struct gs_err *err)
{
    const struct check_opts *const o = parsed;
    GS_OWN struct gs_arena scratch = {0};
    for (size_t i = 0; i < o->accept.n; i++)
        GS_TRY(accept_list(o->accept.item[i], strlen(o->accept.item[i]), of_fold, err));
    for (size_t i = 0; i < o->accept_file.n; i++)
        GS_TRY(accept_file(o->accept_file.item[i], &scratch, of_fold, err));
    return GS_OK;
}

static const struct gs_fold_command folds = {
    .all_tasks = true,
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true},
    .optional = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true},
    .places = true,
    .fold = &gs_check_fold,
    .options_size = sizeof(struct gs_accepted),
    .options = options,
};

const struct gs_command gs_cmd_check = {
    GS_FOLD_COMMAND(check, struct check_opts, opts, defaults, folds),
    .summary =
        "what is wrong with the data: duplicates, orphans, gaps, stuck sensors, missing tiles",
    .no_figure = "findings are words with places; the table lists them all",
};
