/* options.c - the command line against tables of options. */
#include "args/options.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "num/decimal.h"
#include "num/timestamp.h"
#include "map/zone_file.h"
#include "args/suggest.h"

enum { SHOWN_MAX = 200 };

/* An option found in the tables, as it was written, and where its value goes. */
struct found {
    const struct gs_opt *opt;
    char *target;
    struct gs_list *given;
    bool takes_shards;
    char shown[SHOWN_MAX]; /* "-j", "--threads" */
};

struct parse {
    const struct gs_opt_set *sets;
    size_t n_sets;
    const char *const *args;
    size_t n_args, next;     /* args[next] has not been looked at */
    struct found last_files; /* the FILES option that the next arguments belong to where they are files, and */
    bool shards;             /* whether they may                                                             */
    struct gs_arena *arena;
    struct gs_err *err;
};

bool gs_opt_has_value(const struct gs_opt *o)
{
    return o->kind > GS_OPT_CLEAR;
}

static bool is_option(const struct gs_opt *o)
{
    return o->kind > GS_OPT_GROUP;
}

/* An option by its long name, or by its short name where `name` is NULL. */
static bool find(const struct parse *p, char short_name, const char *name, size_t name_len, struct found *f)
{
    for (size_t s = 0; s < p->n_sets; s++)
        for (const struct gs_opt *o = p->sets[s].opts; o != NULL && o->kind != GS_OPT_END; o++) {
            if (!is_option(o))
                continue;
            const bool same = name == NULL ? o->short_name == short_name
                                           : strlen(o->name) == name_len && memcmp(o->name, name, name_len) == 0;
            if (!same)
                continue;
            f->opt = o;
            f->target = (char *)p->sets[s].target + o->offset;
            f->given = p->sets[s].given;
            f->takes_shards = p->sets[s].shards && o->kind == GS_OPT_FILES;
            return true;
        }
    return false;
}

static enum gs_status fail_unknown_long(const struct parse *p, const char *name, size_t len)
{
    struct gs_suggestion near = {.word = {name, len}};
    char shown[SHOWN_MAX];
    for (size_t s = 0; s < p->n_sets; s++)
        for (const struct gs_opt *o = p->sets[s].opts; o != NULL && o->kind != GS_OPT_END; o++)
            if (is_option(o))
                gs_suggestion_try(&near, o->name);
    (void)gs_escape(shown, sizeof shown, near.word);
    if (near.best == NULL)
        return gs_fail(p->err, GS_ERR_USAGE, "unknown option '--%s'", shown);
    return gs_fail(p->err, GS_ERR_USAGE, "unknown option '--%s'; did you mean '--%s'?", shown, near.best);
}

static enum gs_status fail_unknown_short(const struct parse *p, const char *cluster)
{
    char shown[SHOWN_MAX];
    struct found f;
    unsigned code_point;
    const size_t n = gs_utf8_next(gs_str(cluster), &code_point);
    (void)gs_escape(shown, sizeof shown, (struct gs_str){cluster, n == 0 ? 1 : n});
    /* "-sort" for "--sort": one dash too few is the likelier slip than a cluster. */
    const size_t len = strcspn(cluster, "=");
    if (len > 1 && find(p, 0, cluster, len, &f))
        return gs_fail(p->err, GS_ERR_USAGE, "unknown option '-%s'; did you mean '--%s'?", shown, f.opt->name);
    return gs_fail(p->err, GS_ERR_USAGE, "unknown option '-%s'", shown);
}

static enum gs_status append(const struct parse *p, struct gs_list *list, const char *text)
{
    if ((list->n & (list->n - 1)) == 0) { /* full at 0 and at every power of two */
        const char **const grown =
            gs_arena_grow(p->arena, list->item, list->n, list->n == 0 ? 1 : list->n * 2, sizeof *grown);
        if (grown == NULL)
            return gs_fail_memory(p->err);
        list->item = grown;
    }
    list->item[list->n++] = text;
    return GS_OK;
}

/* "3s", "1500ms": the largest unit that shows the length as a whole number. */
static void show_duration(char *out, size_t size, int64_t ns)
{
    static const struct {
        const char *unit;
        int64_t ns;
    } units[] = {{"h", 3600 * GS_NS_PER_S},
                 {"min", 60 * GS_NS_PER_S},
                 {"s", GS_NS_PER_S},
                 {"ms", GS_NS_PER_MS},
                 {"us", 1000},
                 {"ns", 1}};
    size_t i = 0;
    if (ns == 0)
        i = 2;
    else
        while (ns % units[i].ns != 0)
            i++;
    (void)snprintf(out, size, "%lld%s", (long long)(ns / units[i].ns), units[i].unit);
}

static enum gs_status set_count(const struct parse *p, const struct found *f, const char *value, const char *shown)
{
    const struct gs_opt *const o = f->opt;
    const uint64_t max = o->max == 0 ? UINT64_MAX : o->max;
    uint64_t v = 0;
    if (gs_count_parse(gs_str(value), max, &v) != GS_NUMBER_OK || v < o->min) {
        if (o->max != 0)
            return gs_fail(p->err, GS_ERR_USAGE, "%s: '%s' must be a whole number from %llu to %llu", f->shown, shown,
                           (unsigned long long)o->min, (unsigned long long)o->max);
        if (o->min != 0)
            return gs_fail(p->err, GS_ERR_USAGE, "%s: '%s' must be a whole number of at least %llu", f->shown, shown,
                           (unsigned long long)o->min);
        return gs_fail(p->err, GS_ERR_USAGE, "%s: '%s' must be a whole number", f->shown, shown);
    }
    memcpy(f->target, &v, sizeof v);
    return GS_OK;
}

/* Is the number within the bounds of its option? Bounds of 0 and 0 are none. */
static bool real_fits(const struct gs_opt *o, double v)
{
    if (!isfinite(v))
        return false;
    if (o->real_min == 0 && o->real_max == 0)
        return !o->above_min || v > 0;
    return (o->above_min ? v > o->real_min : v >= o->real_min) && (o->below_max ? v < o->real_max : v <= o->real_max);
}

static enum gs_status set_real(const struct parse *p, const struct found *f, const char *value, const char *shown)
{
    const struct gs_opt *const o = f->opt;
    double v = 0;
    struct gs_str number = gs_str(value);
    const bool percent = o->kind == GS_OPT_SHARE && number.len > 0 && number.ptr[number.len - 1] == '%';
    number.len -= percent;
    if (gs_real_parse(number, &v) != GS_NUMBER_OK)
        return gs_fail(p->err, GS_ERR_USAGE, "%s: '%s' must be a number%s", f->shown, shown,
                       o->kind == GS_OPT_SHARE ? ", or one with %" : "");
    v = percent ? v / 100 : v;
    if (!real_fits(o, v)) {
        char lo[GS_REAL_TEXT_MAX], hi[GS_REAL_TEXT_MAX];
        (void)gs_real_format(lo, o->real_min);
        if (o->real_min == 0 && o->real_max == 0)
            return gs_fail(p->err, GS_ERR_USAGE, "%s: '%s' must be a number above 0", f->shown, shown);
        if (isinf(o->real_max))
            return gs_fail(p->err, GS_ERR_USAGE, "%s: '%s' must be a number %s %s", f->shown, shown,
                           o->above_min ? "above" : "of at least", lo);
        (void)gs_real_format(hi, o->real_max);
        return gs_fail(p->err, GS_ERR_USAGE, "%s: '%s' must be a number %s %s %s %s", f->shown, shown,
                       o->above_min ? "above" : "from", lo, o->below_max ? "and below" : "to", hi);
    }
    memcpy(f->target, &v, sizeof v);
    return GS_OK;
}

/* A whole number of bytes, K, M, G or T (powers of 1024), with or without a B. */
static bool parse_size(struct gs_str text, uint64_t *size)
{
    static const char units[] = "KMGT";
    unsigned shift = 0;
    if (text.len > 1 && (text.ptr[text.len - 1] == 'B' || text.ptr[text.len - 1] == 'b'))
        text.len--;
    const char last = text.len == 0 ? '\0' : text.ptr[text.len - 1];
    for (unsigned i = 0; units[i] != '\0'; i++)
        if (last == units[i] || last == units[i] + ('a' - 'A'))
            shift = 10 * (i + 1);
    text.len -= shift > 0;
    uint64_t n;
    if (gs_count_parse(text, UINT64_MAX >> shift, &n) != GS_NUMBER_OK)
        return false;
    *size = n << shift;
    return true;
}

static void show_size(char *out, size_t out_size, uint64_t bytes)
{
    unsigned i = 0;
    while (i < 4 && bytes != 0 && bytes % 1024 == 0) {
        bytes /= 1024;
        i++;
    }
    (void)snprintf(out, out_size, "%llu%.*s", (unsigned long long)bytes, i > 0, &"\0KMGT"[i]);
}

static enum gs_status set_size(const struct parse *p, const struct found *f, const char *value, const char *shown)
{
    uint64_t v;
    char least[32];
    if (!parse_size(gs_str(value), &v))
        return gs_fail(p->err, GS_ERR_USAGE, "%s: '%s' must be a size such as 200M or 2G", f->shown, shown);
    show_size(least, sizeof least, f->opt->min);
    if (v < f->opt->min)
        return gs_fail(p->err, GS_ERR_USAGE, "%s: '%s' must be at least %s", f->shown, shown, least);
    memcpy(f->target, &v, sizeof v);
    return GS_OK;
}

static bool duration_fits(const struct gs_opt *o, int64_t ns)
{
    return ns >= 0 && (uint64_t)ns >= o->min && (o->max == 0 || (uint64_t)ns <= o->max);
}

static enum gs_status set_duration(const struct parse *p, const struct found *f, const char *value, const char *shown)
{
    const struct gs_opt *const o = f->opt;
    const bool shift = o->kind == GS_OPT_SHIFT;
    struct gs_str text = gs_str(value);
    const bool negative = shift && text.len > 0 && text.ptr[0] == '-';
    if (shift && text.len > 0 && (text.ptr[0] == '-' || text.ptr[0] == '+'))
        text = (struct gs_str){text.ptr + 1, text.len - 1};
    int64_t ns = 0;
    const char *const word = shift && o->choices != NULL ? o->choices[0] : NULL;
    if (word != NULL && strcmp(value, word) == 0) {
        ns = GS_SHIFT_WORD;
        memcpy(f->target, &ns, sizeof ns);
        return GS_OK;
    }
    if (!gs_duration_parse(text, &ns) || ns == GS_SHIFT_WORD)
        return gs_fail(p->err, GS_ERR_USAGE, "%s: '%s' must be %s%sa length of time such as %s", f->shown, shown,
                       word != NULL ? word : "", word != NULL ? " or " : "",
                       shift ? "-250ms or 1.5s" : "500ms, 2s or 5min");
    if (!shift && !duration_fits(o, ns)) {
        char lo[32], hi[32];
        show_duration(lo, sizeof lo, (int64_t)o->min);
        show_duration(hi, sizeof hi, (int64_t)o->max);
        if (o->max == 0)
            return gs_fail(p->err, GS_ERR_USAGE, "%s: '%s' must be at least %s", f->shown, shown, lo);
        return gs_fail(p->err, GS_ERR_USAGE, "%s: '%s' must be from %s to %s", f->shown, shown, lo, hi);
    }
    ns = negative ? -ns : ns;
    memcpy(f->target, &ns, sizeof ns);
    return GS_OK;
}

static enum gs_status set_choice(const struct parse *p, const struct found *f, const char *value, const char *shown)
{
    struct gs_suggestion near = {.word = gs_str(value)};
    char known[512];
    size_t used = 0;
    known[0] = '\0';
    for (int i = 0; f->opt->choices[i] != NULL; i++) {
        const char *const word = f->opt->choices[i];
        if (strcmp(word, value) == 0) {
            memcpy(f->target, &i, sizeof i);
            return GS_OK;
        }
        gs_suggestion_try(&near, word);
        const char *const between = i == 0 ? "" : f->opt->choices[i + 1] == NULL ? " or " : ", ";
        const int n = snprintf(known + used, sizeof known - used, "%s%s", between, word);
        used = n < 0 || (size_t)n >= sizeof known - used ? sizeof known - 1 : used + (size_t)n;
    }
    if (near.best != NULL)
        return gs_fail(p->err, GS_ERR_USAGE, "%s: '%s' must be %s; did you mean '%s'?", f->shown, shown, known,
                       near.best);
    return gs_fail(p->err, GS_ERR_USAGE, "%s: '%s' must be %s", f->shown, shown, known);
}

static enum gs_status set_zone(const struct parse *p, const struct found *f, const char *value)
{
    struct gs_zone zone;
    struct gs_err why = {0};
    const enum gs_status s = gs_zone_named(gs_str(value), p->arena, &zone, &why);
    if (s != GS_OK)
        return gs_fail(p->err, s, "%s: %s", f->shown, why.text);
    memcpy(f->target, &zone, sizeof zone);
    return GS_OK;
}

static void set_flag(const struct found *f)
{
    const bool given = f->opt->kind != GS_OPT_CLEAR;
    memcpy(f->target, &given, sizeof given);
}

/* Remembers what was given; of a scalar the last. */
static enum gs_status remember(const struct parse *p, const struct found *f, const char *value)
{
    struct gs_buf b = {.arena = p->arena};
    const bool many = f->opt->kind == GS_OPT_LIST || f->opt->kind == GS_OPT_FILES;
    if (f->given == NULL || f->opt->apart)
        return GS_OK;
    gs_buf_format(&b, "--%s", f->opt->name);
    const size_t name_len = b.len;
    if (value != NULL) {
        gs_buf_char(&b, '=');
        gs_buf_text(&b, value);
    }
    if (b.failed)
        return gs_fail_memory(p->err);
    for (size_t i = 0; !many && i < f->given->n; i++) {
        const char *const one = f->given->item[i];
        if (strncmp(one, b.ptr, name_len) == 0 && (one[name_len] == '\0' || one[name_len] == '=')) {
            f->given->item[i] = b.ptr;
            return GS_OK;
        }
    }
    return append(p, f->given, b.ptr);
}

static enum gs_status fail_no_name(const struct parse *p, const struct found *f)
{
    return gs_fail(p->err, GS_ERR_USAGE, "%s: the file name is empty", f->shown);
}

static enum gs_status set_value(const struct parse *p, const struct found *f, const char *value)
{
    const enum gs_status s = remember(p, f, value);
    if (s != GS_OK)
        return s;
    char shown[SHOWN_MAX];
    (void)gs_escape(shown, sizeof shown, gs_str(value));
    switch (f->opt->kind) {
    case GS_OPT_TEXT:
    case GS_OPT_FILE:
        if (f->opt->kind == GS_OPT_FILE && value[0] == '\0')
            return fail_no_name(p, f);
        memcpy(f->target, &value, sizeof value);
        return GS_OK;
    case GS_OPT_FILES:
        if (value[0] == '\0')
            return fail_no_name(p, f);
        return append(p, (struct gs_list *)(void *)f->target, value);
    case GS_OPT_LIST:
        return append(p, (struct gs_list *)(void *)f->target, value);
    case GS_OPT_COUNT:
        return set_count(p, f, value, shown);
    case GS_OPT_SIZE:
        return set_size(p, f, value, shown);
    case GS_OPT_REAL:
    case GS_OPT_SHARE:
        return set_real(p, f, value, shown);
    case GS_OPT_DURATION:
    case GS_OPT_SHIFT:
        return set_duration(p, f, value, shown);
    case GS_OPT_CHOICE:
        return set_choice(p, f, value, shown);
    case GS_OPT_ZONE:
        return set_zone(p, f, value);
    case GS_OPT_END:
    case GS_OPT_GROUP:
    case GS_OPT_FLAG:
    case GS_OPT_CLEAR:
        break;
    }
    return gs_fail(p->err, GS_ERR_INTERNAL, "%s: an option without value has one", f->shown);
}

/* Takes the next argument as the value of `f`. */
static enum gs_status set_from_next(struct parse *p, const struct found *f)
{
    if (p->next == p->n_args) {
        const char *const arg = f->opt->arg;
        return gs_fail(p->err, GS_ERR_USAGE, "%s: needs a value%s%s", f->shown, arg == NULL ? "" : ": ",
                       arg == NULL ? "" : arg);
    }
    if (f->takes_shards) {
        p->last_files = *f;
        p->shards = true;
    }
    return set_value(p, f, p->args[p->next++]);
}

/* "--gpu gpu-1.csv gpu-2.csv", as a shell makes it of --gpu gpu-*.csv: what follows and is a file is one more. */
static bool is_shard(const struct parse *p, const char *arg)
{
    struct stat st;
    return p->shards && stat(arg, &st) == 0 && !S_ISDIR(st.st_mode);
}

/* "--name", "--name=value" or "--name value"; `text` follows the dashes. */
static enum gs_status parse_long(struct parse *p, const char *text)
{
    const size_t len = strcspn(text, "=");
    const char *const value = text[len] == '=' ? text + len + 1 : NULL;
    struct found f;
    if (!find(p, 0, text, len, &f))
        return fail_unknown_long(p, text, len);
    (void)snprintf(f.shown, sizeof f.shown, "--%s", f.opt->name);
    if (!gs_opt_has_value(f.opt)) {
        if (value != NULL)
            return gs_fail(p->err, GS_ERR_USAGE, "%s: takes no value", f.shown);
        set_flag(&f);
        return remember(p, &f, NULL);
    }
    return value != NULL ? set_value(p, &f, value) : set_from_next(p, &f);
}

/* "-q", "-qj7", "-j 7"; `text` follows the dash. */
static enum gs_status parse_cluster(struct parse *p, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        struct found f;
        if (!find(p, *c, NULL, 0, &f))
            return fail_unknown_short(p, c);
        (void)snprintf(f.shown, sizeof f.shown, "-%c", *c);
        if (gs_opt_has_value(f.opt))
            return c[1] != '\0' ? set_value(p, &f, c + 1) : set_from_next(p, &f);
        set_flag(&f);
        const enum gs_status s = remember(p, &f, NULL);
        if (s != GS_OK)
            return s;
    }
    return GS_OK;
}

enum gs_status gs_options_parse(const struct gs_opt_set *sets, size_t n_sets, const char *const *args, size_t n_args,
                                struct gs_list *operands, struct gs_arena *arena, struct gs_err *err)
{
    struct parse p = {.sets = sets, .n_sets = n_sets, .args = args, .n_args = n_args, .arena = arena, .err = err};
    bool only_operands = false;
    enum gs_status s = GS_OK;
    while (p.next < n_args && s == GS_OK) {
        const char *const arg = args[p.next++];
        const bool is_operand = only_operands || arg[0] != '-' || arg[1] == '\0';
        const bool shard = is_operand && is_shard(&p, arg);
        if (!shard)
            p.shards = false;
        if (shard)
            s = set_value(&p, &p.last_files, arg);
        else if (is_operand)
            s = append(&p, operands, arg);
        else if (strcmp(arg, "--") == 0)
            only_operands = true;
        else if (arg[1] == '-')
            s = parse_long(&p, arg + 2);
        else
            s = parse_cluster(&p, arg + 1);
    }
    return s;
}

void gs_opt_show_arg(struct gs_buf *b, const struct gs_opt *o)
{
    static const char *const by_kind[] = {
        [GS_OPT_TEXT] = "TEXT",     [GS_OPT_FILE] = "FILE",   [GS_OPT_LIST] = "TEXT", [GS_OPT_FILES] = "FILE",
        [GS_OPT_COUNT] = "N",       [GS_OPT_REAL] = "X",      [GS_OPT_SIZE] = "SIZE", [GS_OPT_SHIFT] = "TIME",
        [GS_OPT_DURATION] = "TIME", [GS_OPT_CHOICE] = "WORD", [GS_OPT_ZONE] = "ZONE", [GS_OPT_SHARE] = "SHARE",
    };
    if (!gs_opt_has_value(o))
        return;
    if (o->arg != NULL) {
        gs_buf_text(b, o->arg);
    } else if (o->kind == GS_OPT_CHOICE) {
        for (size_t i = 0; o->choices[i] != NULL; i++) {
            gs_buf_text(b, i == 0 ? "" : "|");
            gs_buf_text(b, o->choices[i]);
        }
    } else {
        gs_buf_text(b, by_kind[o->kind]);
    }
}

static bool show_number_default(struct gs_buf *b, const struct gs_opt *o, const char *field)
{
    uint64_t count;
    double real;
    int64_t ns;
    char text[GS_REAL_TEXT_MAX];
    if (o->kind == GS_OPT_COUNT) {
        memcpy(&count, field, sizeof count);
        if (count < o->min || (o->max != 0 && count > o->max) || count == UINT64_MAX)
            return false;
        gs_buf_format(b, "%llu", (unsigned long long)count);
        return true;
    }
    if (o->kind == GS_OPT_REAL || o->kind == GS_OPT_SHARE) {
        memcpy(&real, field, sizeof real);
        if (!real_fits(o, real))
            return false;
        (void)gs_real_format(text, o->kind == GS_OPT_SHARE ? 100 * real : real);
        gs_buf_text(b, text);
        gs_buf_text(b, o->kind == GS_OPT_SHARE ? "%" : "");
        return true;
    }
    memcpy(&ns, field, sizeof ns);
    if (o->kind == GS_OPT_SHIFT ? ns == 0 || ns == INT64_MIN : !duration_fits(o, ns) || ns == INT64_MAX)
        return false;
    show_duration(text, sizeof text, ns);
    gs_buf_text(b, text);
    return true;
}

bool gs_opt_show_default(struct gs_buf *b, const struct gs_opt *o, const void *target)
{
    const char *const field = target == NULL ? NULL : (const char *)target + o->offset;
    const char *text = NULL;
    int index;
    switch (o->kind) {
    case GS_OPT_TEXT:
    case GS_OPT_FILE:
        if (field != NULL)
            memcpy(&text, field, sizeof text);
        break;
    case GS_OPT_CHOICE:
        if (field != NULL) {
            memcpy(&index, field, sizeof index);
            for (int i = 0; i <= index && o->choices[i] != NULL; i++)
                text = i == index ? o->choices[i] : NULL;
        }
        break;
    case GS_OPT_COUNT:
    case GS_OPT_REAL:
    case GS_OPT_SHARE:
    case GS_OPT_DURATION:
    case GS_OPT_SHIFT:
        if (field != NULL && show_number_default(b, o, field))
            return true;
        break;
    case GS_OPT_ZONE:
        text = "UTC";
        break;
    case GS_OPT_SIZE:
    case GS_OPT_END:
    case GS_OPT_GROUP:
    case GS_OPT_FLAG:
    case GS_OPT_CLEAR:
    case GS_OPT_LIST:
    case GS_OPT_FILES:
        break;
    }
    if (text == NULL || text[0] == '\0')
        text = o->unset;
    if (text == NULL)
        return false;
    gs_buf_text(b, text);
    return true;
}
