/* defaults.c - name = value lines become options in front of those that were typed. */
#include "app/cli/defaults.h"

#include <string.h>

#include "base/os/path.h"
#include "base/os/path_conflicts.h"
#include "base/os/replayable_input.h"
#include "input/bytes/text_in.h"
#include "input/detect/map_build.h"

/*
 * Nothing here names a file or a program: gpustat.ini comes with data that others made. What it sets changes numbers
 * and their presentation, which --explain shows.
 */
const char *const gs_default_names[] = {"price", "carbon",  "pue",   "tz",       "card", "sensor",
                                        "show",  "verbose", "color", "no-pager", NULL};

static const struct gs_opt *option_called(const struct gs_opt *opts, struct gs_str name)
{
    for (const struct gs_opt *o = opts; o != NULL && o->kind != GS_OPT_END; o++)
        if (o->kind != GS_OPT_GROUP && gs_str_eq(name, gs_str(o->name)))
            return o;
    return NULL;
}

/*
 * The list is what keeps a data directory of a stranger harmless: an option that writes a file
 * or starts a program must never be added to it.
 */
static bool may_stand_in_a_file(struct gs_str name)
{
    for (size_t i = 0; gs_default_names[i] != NULL; i++)
        if (gs_str_eq(name, gs_str(gs_default_names[i])))
            return true;
    return false;
}

/*
 * Appends --name=value where the command has the option; the result is tried alone, so that
 * `place` is known. An option that this command lacks is passed over, because one file serves
 * all commands. The parse on a copy finds a bad value where its line is known; the copy's lists
 * are emptied so that it cannot append to the request's.
 */
static enum gs_status add_default(const struct gs_request *r, struct gs_list *list,
                                  struct gs_str name, struct gs_str value, const char *place,
                                  struct gs_err *err)
{
    const struct gs_opt *o = option_called(r->command->opts, name);
    if (o == NULL)
        o = option_called(gs_common_opts, name);
    struct gs_buf b = {.arena = r->arena};
    struct gs_err wrong = {0};
    if (o == NULL)
        return GS_OK;
    const bool flag = !gs_opt_has_value(o);
    if (flag && (gs_str_eq(value, gs_str("no")) || gs_str_eq(value, gs_str("false"))))
        return GS_OK;
    if (flag && !gs_str_eq(value, gs_str("yes")) && !gs_str_eq(value, gs_str("true")))
        return gs_fail(err, GS_ERR_USAGE, "%s: %s must be yes or no", place, o->name);
    gs_buf_format(&b, "--%s", o->name);
    if (!flag) {
        gs_buf_char(&b, '=');
        gs_buf_bytes(&b, value.ptr, value.len);
    }
    GS_TRY(gs_had_memory(!b.failed, err));
    struct gs_request alone = *r;
    alone.operands = alone.context.given = alone.context.typed = (struct gs_list){0};
    alone.common = gs_common_defaults;
    enum gs_status s = gs_request_parse(&alone, (const char *const *)&b.ptr, 1, &wrong);
    GS_THEN(s, gs_rates_get(&alone.common.rates, &alone.context.rates, &wrong));
    if (s == GS_ERR_USAGE)
        return gs_fail(err, s, "%s: %s", place, wrong.text);
    GS_TRY(gs_had_memory(s == GS_OK && GS_HAS_ROOM(r->arena, list->item, list->n), err));
    list->item[list->n++] = b.ptr;
    return GS_OK;
}

static enum gs_status read_line(const struct gs_request *r, struct gs_list *list,
                                struct gs_str line, const char *place, struct gs_err *err)
{
    const struct gs_str text = gs_trimmed(line);
    if (text.len == 0 || text.ptr[0] == '#' || text.ptr[0] == ';')
        return GS_OK;
    const char *const equals = memchr(text.ptr, '=', text.len);
    const char *const shown = GS_SHOWN(text, 120);
    if (equals == NULL)
        return gs_fail(err, GS_ERR_USAGE, "%s: '%s' is no line `name = value`", place, shown);
    const struct gs_str name = gs_trimmed((struct gs_str){text.ptr, (size_t)(equals - text.ptr)}),
                        value = gs_trimmed((struct gs_str){
                            equals + 1, text.len - (size_t)(equals - text.ptr) - 1});
    if (!may_stand_in_a_file(name))
        return gs_fail(
            err, GS_ERR_USAGE,
            "%s: '%.*s' is no default; there are price (0.30EUR/kWh), carbon, pue, tz (the zone), "
            "card, sensor, show, verbose, color, no-pager",
            place, (int)strcspn(shown, " ="), shown);
    return add_default(r, list, name, value, place, err);
}

/* What is not there, or no file, holds no defaults. */
static enum gs_status read_file(const struct gs_request *r, struct gs_list *list, const char *path,
                                struct gs_err *err)
{
    GS_CLOSES_TEXT struct gs_text_in in = {0};
    struct gs_str line;
    enum gs_status s;
    if (path == NULL || !gs_is_regular(path)) /* a FIFO would wait for who writes */
        return GS_OK;
    GS_TRY(gs_path_claim(r->context.claims, GS_CLAIM_READ, NULL, path, err));
    GS_TRY(gs_text_open(&in, path, 0, r->arena, err));
    while (gs_text_next(&in, &line, &s, err)) {
        const char *const place = gs_format(r->arena, "%s:%llu", GS_SHOWN(gs_str(path), 200),
                                            (unsigned long long)in.line_number);
        GS_TRY(gs_had_memory(place != NULL, err));
        GS_TRY(read_line(r, list, line, place, err));
    }
    return s;
}

/*
 * A command that wraps another one hands the directories on; the inner command reads the files
 * then.
 */
static enum gs_status read_runs(const struct gs_request *r, struct gs_list *list,
                                struct gs_err *err)
{
    for (size_t i = 0; i < r->operands.n && !r->command->wraps_command; i++) {
        if (!gs_is_directory(r->operands.item[i]))
            continue;
        const char *const path = gs_format(r->arena, "%s/gpustat.ini", r->operands.item[i]);
        GS_TRY(gs_had_memory(path != NULL, err));
        GS_TRY(read_file(r, list, path, err));
    }
    return GS_OK;
}

/* The first operand or file of samples or events, as it was typed; NULL: none. */
static const char *first_file(const struct gs_request *r)
{
    static const char *const names[] = {"--samples=", "--gpu=", "--events=", "--checkpoints="};
    for (size_t k = 0; r->operands.n == 0 && k < sizeof names / sizeof *names; k++)
        for (size_t i = 0; i < r->context.given.n; i++)
            if (strncmp(r->context.given.item[i], names[k], strlen(names[k])) == 0)
                return r->context.given.item[i] + strlen(names[k]);
    return r->operands.n > 0 ? r->operands.item[0] : NULL;
}

/* --map, else the gpustat.json of the only directory, else that beside the first file; NULL: none, or no memory. */
static const char *map_of_run(const struct gs_request *r)
{
    const char *const path = first_file(r);
    for (size_t i = 0; i < r->context.given.n; i++)
        if (strncmp(r->context.given.item[i], "--map=", 6) == 0)
            return r->context.given.item[i] + 6;
    if (path == NULL || (r->operands.n > 1 && gs_is_directory(path)))
        return NULL;
    return gs_map_path(path, r->arena);
}

/* What a map keeps of options. What is wrong with a map says who reads it for its files. */
static enum gs_status read_map(const struct gs_request *r, struct gs_list *list, struct gs_err *err)
{
    struct gs_map map;
    if (r->command->wraps_command || option_called(r->command->opts, gs_str("map")) == NULL)
        return GS_OK;
    const char *const path = map_of_run(r);
    if (path == NULL || !gs_is_regular(path) || gs_map_read(path, r->arena, &map, NULL) != GS_OK)
        return GS_OK;
    for (size_t i = 0; i < GS_MAP_OPTIONS; i++)
        if (map.option[i].ptr != NULL)
            GS_TRY(add_default(r, list, gs_str(gs_map_options[i]), map.option[i],
                               GS_SHOWN(gs_str(path), 200), err));
    return GS_OK;
}

/*
 * Environment, user file, run directory, its map, command line: the later wins. This holds because
 * options are parsed from left to right and the last value counts. Everything is parsed anew
 * from the defaults, so no value of the first parse is left.
 */
enum gs_status gs_request_defaults(struct gs_request *r, const struct gs_default_sources *from,
                                   const char *const *args, size_t n_args, struct gs_err *err)
{
    struct gs_list list = {0};
    enum gs_status s = GS_OK;
    for (size_t i = 0; from->environment != NULL && gs_default_names[i] != NULL && s == GS_OK; i++)
        if (from->environment[i] != NULL && from->environment[i][0] != '\0')
            s = add_default(r, &list, gs_str(gs_default_names[i]), gs_str(from->environment[i]),
                            "environment", err);
    GS_THEN(s, read_file(r, &list, from->user_file, err));
    GS_THEN(s, read_runs(r, &list, err));
    GS_THEN(s, read_map(r, &list, err));
    if (s != GS_OK || list.n == 0)
        return s;
    for (size_t i = 0; i < n_args; i++) {
        GS_TRY(gs_had_memory(GS_HAS_ROOM(r->arena, list.item, list.n), err));
        list.item[list.n++] = args[i];
    }
    r->common = gs_common_defaults;
    r->operands = r->context.given = (struct gs_list){0};
    const struct gs_list typed = r->context.typed;
    s = gs_request_parse(r, list.item, list.n, err);
    r->context.typed = typed;
    return s;
}
