/* options.c - the command line against tables of options. */
#include "app/options/options.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/options/option_values.h"
#include "base/core/suggest.h"
#include "base/num/order.h"

enum { SHOWN_MAX = 200 };

/* An option found in the tables, as it was written, and where its value goes. */
struct found {
    const struct gs_opt *opt;
    char *target;
    struct gs_list *given, *names;
    bool takes_shards;
    char shown[SHOWN_MAX]; /* "-j", "--threads" */
};

struct parse {
    const struct gs_opt_set *sets;
    size_t n_sets;
    const char *const *args;
    size_t n_args, next; /* args[next] has not been looked at */
    /* the FILES option that the next arguments belong to where they are files, and */
    struct found last_files;
    bool shards; /* whether they may                                                             */
    struct gs_arena *arena;
    struct gs_err *err;
};

static bool is_option(const struct gs_opt *o)
{
    return o->kind > GS_OPT_GROUP;
}

/*
 * An option by its long name, or by its short name where `name` is NULL; NULL: there is none. Names
 * must match in full. An abbreviation that is unique today would change its meaning with the next
 * option.
 */
static const struct gs_opt *option_of(const struct gs_opt *opts, char short_name, const char *name,
                                      size_t name_len)
{
    for (const struct gs_opt *o = opts; o != NULL && o->kind != GS_OPT_END; o++) {
        if (!is_option(o))
            continue;
        bool same = o->short_name == short_name;
        if (name != NULL)
            same = gs_str_eq(gs_str(o->name), (struct gs_str){name, name_len});
        if (same)
            return o;
    }
    return NULL;
}

static bool find(const struct parse *p, char short_name, const char *name, size_t name_len,
                 struct found *f)
{
    for (size_t s = 0; s < p->n_sets; s++) {
        const struct gs_opt *const o = option_of(p->sets[s].opts, short_name, name, name_len);
        if (o == NULL)
            continue;
        f->opt = o;
        f->target = (char *)p->sets[s].target + o->offset;
        f->given = p->sets[s].given;
        f->names = p->sets[s].names;
        f->takes_shards = p->sets[s].shards && o->kind == GS_OPT_FILES;
        return true;
    }
    return false;
}

static enum gs_status fail_unknown_long(const struct parse *p, const char *name, size_t len)
{
    struct gs_suggestion near = {.word = {name, len}};
    for (size_t s = 0; s < p->n_sets; s++)
        for (const struct gs_opt *o = p->sets[s].opts; o != NULL && o->kind != GS_OPT_END; o++)
            if (is_option(o))
                gs_suggestion_try(&near, o->name);
    const char *const shown = GS_SHOWN(near.word, SHOWN_MAX);
    if (near.best == NULL)
        return gs_fail(p->err, GS_ERR_USAGE, "unknown option '--%s'", shown);
    return gs_fail(p->err, GS_ERR_USAGE, "unknown option '--%s'; did you mean '--%s'?", shown,
                   near.best);
}

static enum gs_status fail_unknown_short(const struct parse *p, const char *cluster)
{
    struct found f;
    unsigned code_point;
    const size_t n = gs_utf8_next(gs_str(cluster), &code_point);
    const char *const shown = GS_SHOWN(((struct gs_str){cluster, gs_max(n, 1)}), SHOWN_MAX);
    /* "-sort" for "--sort": one dash too few is the likelier slip than a cluster. */
    const size_t len = strcspn(cluster, "=");
    if (len > 1 && find(p, 0, cluster, len, &f))
        return gs_fail(p->err, GS_ERR_USAGE, "unknown option '-%s'; did you mean '--%s'?", shown,
                       f.opt->name);
    return gs_fail(p->err, GS_ERR_USAGE, "unknown option '-%s'", shown);
}

static enum gs_status append(const struct parse *p, struct gs_list *list, const char *text)
{
    GS_TRY(gs_had_memory(GS_HAS_ROOM(p->arena, list->item, list->n), p->err));
    list->item[list->n++] = text;
    return GS_OK;
}

static void set_flag(const struct found *f)
{
    const bool given = f->opt->kind != GS_OPT_CLEAR;
    memcpy(f->target, &given, sizeof given);
}

/*
 * Remembers what was given; of a scalar the last. What was given becomes part of a partial
 * result and is compared by merge. Only the last value of a scalar counts, so only that is
 * remembered. An option that is `apart` does not change the result.
 */
static enum gs_status remember(const struct parse *p, const struct found *f, const char *value)
{
    struct gs_buf b = {.arena = p->arena};
    const bool many = f->opt->kind == GS_OPT_LIST || f->opt->kind == GS_OPT_FILES;
    if (f->names != NULL)
        GS_TRY(append(p, f->names, f->opt->name));
    if (f->given == NULL || f->opt->apart)
        return GS_OK;
    gs_buf_format(&b, "--%s", f->opt->name);
    const size_t name_len = b.len;
    if (value != NULL) {
        gs_buf_char(&b, '=');
        gs_buf_text(&b, value);
    }
    GS_TRY(gs_had_memory(!b.failed, p->err));
    for (size_t i = 0; !many && i < f->given->n; i++) {
        const char *const one = f->given->item[i];
        if (strncmp(one, b.ptr, name_len) == 0 && (one[name_len] == '\0' || one[name_len] == '=')) {
            f->given->item[i] = b.ptr;
            return GS_OK;
        }
    }
    return append(p, f->given, b.ptr);
}

bool gs_opt_is_written(const struct gs_opt *opts, const char *given)
{
    const char *const name = given + 2;
    const struct gs_opt *const o = option_of(opts, 0, name, strcspn(name, "="));
    return o != NULL && o->use == GS_FILE_WRITTEN;
}

static enum gs_status set_value(const struct parse *p, const struct found *f, const char *value)
{
    GS_TRY(remember(p, f, value));
    const enum gs_opt_kind kind = f->opt->kind;
    if ((kind == GS_OPT_FILE || kind == GS_OPT_FILES) && value[0] == '\0')
        return gs_fail(p->err, GS_ERR_USAGE, "%s: the file name is empty", f->shown);
    if (kind == GS_OPT_LIST || kind == GS_OPT_FILES)
        return append(p, (struct gs_list *)(void *)f->target, value);
    if (kind == GS_OPT_TEXT || kind == GS_OPT_FILE) {
        memcpy(f->target, &value, sizeof value);
        return GS_OK;
    }
    const char *const shown = GS_SHOWN(gs_str(value), SHOWN_MAX);
    const struct gs_opt_text in = {.opt = f->opt,
                                   .option = f->shown,
                                   .value = value,
                                   .shown = shown,
                                   .arena = p->arena,
                                   .err = p->err};
    return gs_opt_read(&in, f->target);
}

/* Takes the next argument as the value of `f`. */
static enum gs_status set_from_next(struct parse *p, const struct found *f)
{
    if (p->next == p->n_args) {
        const char *const arg = f->opt->arg;
        return gs_fail(p->err, GS_ERR_USAGE, "%s: needs a value%s%s", f->shown,
                       arg == NULL ? "" : ": ", gs_or_empty(arg));
    }
    if (f->takes_shards) {
        p->last_files = *f;
        p->shards = true;
    }
    return set_value(p, f, p->args[p->next++]);
}

/*
 * "--gpu gpu-1.csv gpu-2.csv", as a shell makes it of --gpu gpu-*.csv: what follows and is a
 * file is one more. A directory is not taken: `--gpu gpu.csv RUN` would otherwise lose its
 * operand.
 */
static bool is_shard(const struct parse *p, const char *arg)
{
    struct stat st;
    return p->shards && stat(arg, &st) == 0 && !S_ISDIR(st.st_mode);
}

/* "--name", "--name=value" or "--name value"; `text` follows the dashes. */
static enum gs_status parse_long(struct parse *p, const char *text)
{
    const size_t len = strcspn(text, "=");
    const bool has_value = text[len] == '=';
    struct found f;
    if (!find(p, 0, text, len, &f))
        return fail_unknown_long(p, text, len);
    (void)snprintf(f.shown, sizeof f.shown, "--%s", f.opt->name);
    if (!gs_opt_has_value(f.opt)) {
        if (has_value)
            return gs_fail(p->err, GS_ERR_USAGE, "%s: takes no value", f.shown);
        set_flag(&f);
        return remember(p, &f, NULL);
    }
    if (has_value)
        return set_value(p, &f, text + len + 1);
    return set_from_next(p, &f);
}

/*
 * "-q", "-qj7", "-j 7"; `text` follows the dash. An option with a value ends the cluster: the
 * rest of the text is its value.
 */
static enum gs_status parse_cluster(struct parse *p, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        struct found f;
        if (!find(p, *c, NULL, 0, &f))
            return fail_unknown_short(p, c);
        (void)snprintf(f.shown, sizeof f.shown, "-%c", *c);
        if (gs_opt_has_value(f.opt) && c[1] != '\0')
            return set_value(p, &f, c + 1);
        if (gs_opt_has_value(f.opt))
            return set_from_next(p, &f);
        set_flag(&f);
        GS_TRY(remember(p, &f, NULL));
    }
    return GS_OK;
}

/*
 * Arguments are kept by pointer and must outlive the run. A lone "-" is an operand, standard
 * input. On failure the targets may hold part of the options, and the caller gives up.
 */
enum gs_status gs_options_parse(const struct gs_opt_set *sets, size_t n_sets,
                                const char *const *args, size_t n_args, struct gs_list *operands,
                                struct gs_arena *arena, struct gs_err *err)
{
    struct parse p = {
        .sets = sets, .n_sets = n_sets, .args = args, .n_args = n_args, .arena = arena, .err = err};
    bool only_operands = false;
    while (p.next < n_args) {
        const char *const arg = args[p.next++];
        const bool is_operand = only_operands || arg[0] != '-' || arg[1] == '\0';
        const bool shard = is_operand && is_shard(&p, arg);
        if (!shard)
            p.shards = false;
        if (shard)
            GS_TRY(set_value(&p, &p.last_files, arg));
        else if (is_operand)
            GS_TRY(append(&p, operands, arg));
        else if (strcmp(arg, "--") == 0)
            only_operands = true;
        else if (arg[1] == '-')
            GS_TRY(parse_long(&p, arg + 2));
        else
            GS_TRY(parse_cluster(&p, arg + 1));
    }
    return GS_OK;
}
