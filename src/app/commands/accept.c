/* accept.c - ids read one by one. */
#include "app/commands/accept.h"

#include <stdio.h>
#include <string.h>

#include "base/core/suggest.h"
#include "input/bytes/bytes.h"

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

/*
 * One byte more than allowed is read, so that a file of exactly the limit passes and a longer
 * one is recognised.
 */
static enum gs_status accept_file(const char *path, struct gs_arena *scratch,
                                  struct gs_accepted *accepted, struct gs_err *err)
{
    struct gs_bytes *source;
    char *const room = gs_arena_take_raw(scratch, ACCEPT_FILE_MAX + 1, 1);
    size_t len = 0, n_read = 1;
    GS_TRY(gs_had_memory(room != NULL, err));
    enum gs_status s = gs_bytes_open(path, scratch, &source, err);
    if (s != GS_OK)
        return s;
    while (s == GS_OK && n_read > 0 && len <= ACCEPT_FILE_MAX) {
        s = gs_bytes_read(source, room + len, ACCEPT_FILE_MAX + 1 - len, &n_read, err);
        len += s == GS_OK ? n_read : 0;
    }
    if (s == GS_OK && len > ACCEPT_FILE_MAX)
        s = gs_fail(err, GS_ERR_DATA,
                    "%s: longer than 1 MiB, expected one id of a finding on each line",
                    gs_bytes_name(source));
    GS_THEN(s, accept_lines(gs_bytes_name(source), (struct gs_str){room, len}, accepted, err));
    gs_bytes_close(source);
    return s;
}

enum gs_status gs_accept(const struct gs_list *ids, const struct gs_list *files,
                         struct gs_arena *scratch, struct gs_accepted *accepted, struct gs_err *err)
{
    GS_REWINDS(scratch);
    for (size_t i = 0; i < ids->n; i++)
        GS_TRY(accept_list(ids->item[i], strlen(ids->item[i]), accepted, err));
    for (size_t i = 0; i < files->n; i++)
        GS_TRY(accept_file(files->item[i], scratch, accepted, err));
    return GS_OK;
}
