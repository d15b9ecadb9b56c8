/* option_values.c - texts of the command line as values, and values as texts of the help. */
#include "app/options/option_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num/decimal.h"
#include "base/num/timestamp.h"
#include "input/times/zone_file.h"
#include "base/core/suggest.h"
#include "base/num/order.h"

const struct gs_zone *gs_opts_zone(const struct gs_opt *opts, const void *parsed)
{
    for (; opts != NULL && opts->kind != GS_OPT_END; opts++)
        if (opts->kind == GS_OPT_ZONE)
            return (const struct gs_zone *)((const char *)parsed + opts->offset);
    return NULL;
}

bool gs_opt_has_value(const struct gs_opt *o)
{
    return o->kind > GS_OPT_CLEAR;
}

/*
 * "3s", "1500ms": the largest unit that shows the length as a whole number. The loop ends,
 * because every length is a whole number of the last unit.
 */
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

/*
 * The value goes through memcpy: a target is known by its offset only and may be of any type of
 * that size.
 */
static enum gs_status set_count(const struct gs_opt_text *in, void *target)
{
    const struct gs_opt *const o = in->opt;
    const uint64_t max = o->max == 0 ? UINT64_MAX : o->max;
    uint64_t v = 0;
    if (gs_count_parse(gs_str(in->value), max, &v) != GS_NUMBER_OK || v < o->min) {
        if (o->max != 0)
            return gs_fail(in->err, GS_ERR_USAGE,
                           "%s: '%s' must be a whole number from %llu to %llu", in->option,
                           in->shown, (unsigned long long)o->min, (unsigned long long)o->max);
        if (o->min != 0)
            return gs_fail(in->err, GS_ERR_USAGE,
                           "%s: '%s' must be a whole number of at least %llu", in->option,
                           in->shown, (unsigned long long)o->min);
        return gs_fail(in->err, GS_ERR_USAGE, "%s: '%s' must be a whole number", in->option,
                       in->shown);
    }
    memcpy(target, &v, sizeof v);
    return GS_OK;
}

/* Is the number within the bounds of its option? Bounds of 0 and 0 are none. */
static bool real_fits(const struct gs_opt *o, double v)
{
    if (!isfinite(v))
        return false;
    if (o->real_min == 0 && o->real_max == 0)
        return !o->above_min || v > 0;
    return v >= o->real_min && v <= o->real_max && !(o->above_min && v <= o->real_min) &&
           !(o->below_max && v >= o->real_max);
}

static enum gs_status set_real(const struct gs_opt_text *in, void *target)
{
    const struct gs_opt *const o = in->opt;
    double v = 0;
    struct gs_str number = gs_str(in->value);
    const bool percent =
        o->kind == GS_OPT_SHARE && number.len > 0 && number.ptr[number.len - 1] == '%';
    number.len -= percent;
    if (gs_real_parse(number, &v) != GS_NUMBER_OK)
        return gs_fail(in->err, GS_ERR_USAGE, "%s: '%s' must be a number%s", in->option, in->shown,
                       o->kind == GS_OPT_SHARE ? ", or one with %" : "");
    if (percent)
        v /= 100;
    if (!real_fits(o, v)) {
        const char *const from = o->above_min ? "above" : "from";
        const char *const to = o->below_max ? "and below" : "to";
        char lo[GS_REAL_TEXT_MAX], hi[GS_REAL_TEXT_MAX];
        (void)gs_real_format(lo, o->real_min);
        if (o->real_min == 0 && o->real_max == 0)
            return gs_fail(in->err, GS_ERR_USAGE, "%s: '%s' must be a number above 0", in->option,
                           in->shown);
        if (isinf(o->real_max))
            return gs_fail(in->err, GS_ERR_USAGE, "%s: '%s' must be a number %s %s", in->option,
                           in->shown, o->above_min ? "above" : "of at least", lo);
        (void)gs_real_format(hi, o->real_max);
        return gs_fail(in->err, GS_ERR_USAGE, "%s: '%s' must be a number %s %s %s %s", in->option,
                       in->shown, from, lo, to, hi);
    }
    memcpy(target, &v, sizeof v);
    return GS_OK;
}

/*
 * A whole number of bytes, K, M, G or T (powers of 1024), with or without a B. The bound is
 * shifted right before the number is read, so that the shift left cannot lose bits.
 */
static bool parse_size(struct gs_str text, uint64_t *size)
{
    static const char units[] = "KMGT";
    unsigned shift = 0;
    if (text.len > 1 && (text.ptr[text.len - 1] == 'B' || text.ptr[text.len - 1] == 'b'))
        text.len--;
    for (unsigned i = 0; units[i] != '\0' && text.len > 0; i++)
        if (gs_upper(text.ptr[text.len - 1]) == units[i])
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

static enum gs_status set_size(const struct gs_opt_text *in, void *target)
{
    uint64_t v;
    char least[32];
    if (!parse_size(gs_str(in->value), &v))
        return gs_fail(in->err, GS_ERR_USAGE, "%s: '%s' must be a size such as 200M or 2G",
                       in->option, in->shown);
    show_size(least, sizeof least, in->opt->min);
    if (v < in->opt->min)
        return gs_fail(in->err, GS_ERR_USAGE, "%s: '%s' must be at least %s", in->option, in->shown,
                       least);
    memcpy(target, &v, sizeof v);
    return GS_OK;
}

static bool duration_fits(const struct gs_opt *o, int64_t ns)
{
    return ns >= 0 && (uint64_t)ns >= o->min && (o->max == 0 || (uint64_t)ns <= o->max);
}

static enum gs_status set_duration(const struct gs_opt_text *in, void *target)
{
    const struct gs_opt *const o = in->opt;
    const bool shift = o->kind == GS_OPT_SHIFT;
    struct gs_str text = gs_str(in->value);
    const bool negative = shift && text.len > 0 && text.ptr[0] == '-';
    if (shift && text.len > 0 && (text.ptr[0] == '-' || text.ptr[0] == '+'))
        text = (struct gs_str){text.ptr + 1, text.len - 1};
    int64_t ns = 0;
    const char *const word = shift && o->choices != NULL ? o->choices[0] : NULL;
    if (word != NULL && strcmp(in->value, word) == 0) {
        ns = GS_SHIFT_WORD;
        memcpy(target, &ns, sizeof ns);
        return GS_OK;
    }
    if (!gs_duration_parse(text, &ns) || ns == GS_SHIFT_WORD)
        return gs_fail(in->err, GS_ERR_USAGE, "%s: '%s' must be %s%sa length of time such as %s",
                       in->option, in->shown, gs_or_empty(word), word != NULL ? " or " : "",
                       shift ? "-250ms or 1.5s" : "500ms, 2s or 5min");
    if (!shift && !duration_fits(o, ns)) {
        char lo[32], hi[32];
        show_duration(lo, sizeof lo, (int64_t)o->min);
        show_duration(hi, sizeof hi, (int64_t)o->max);
        if (o->max == 0)
            return gs_fail(in->err, GS_ERR_USAGE, "%s: '%s' must be at least %s", in->option,
                           in->shown, lo);
        return gs_fail(in->err, GS_ERR_USAGE, "%s: '%s' must be from %s to %s", in->option,
                       in->shown, lo, hi);
    }
    if (negative)
        ns = -ns;
    memcpy(target, &ns, sizeof ns);
    return GS_OK;
}

static enum gs_status set_choice(const struct gs_opt_text *in, void *target)
{
    struct gs_suggestion near = {.word = gs_str(in->value)};
    char known[512];
    size_t used = 0;
    known[0] = '\0';
    for (int i = 0; in->opt->choices[i] != NULL; i++) {
        const char *const word = in->opt->choices[i];
        if (strcmp(word, in->value) == 0) {
            memcpy(target, &i, sizeof i);
            return GS_OK;
        }
        gs_suggestion_try(&near, word);
        const char *between = ", ";
        if (i == 0)
            between = "";
        else if (in->opt->choices[i + 1] == NULL)
            between = " or ";
        const int n = snprintf(known + used, sizeof known - used, "%s%s", between, word);
        used = gs_min(used + (size_t)gs_max(n, 0), sizeof known - 1);
    }
    if (near.best != NULL)
        return gs_fail(in->err, GS_ERR_USAGE, "%s: '%s' must be %s; did you mean '%s'?", in->option,
                       in->shown, known, near.best);
    return gs_fail(in->err, GS_ERR_USAGE, "%s: '%s' must be %s", in->option, in->shown, known);
}

static enum gs_status set_zone(const struct gs_opt_text *in, void *target)
{
    struct gs_zone zone;
    struct gs_err why = {0};
    const enum gs_status s = gs_zone_named(gs_str(in->value), in->arena, &zone, &why);
    if (s != GS_OK)
        return gs_fail(in->err, s, "%s: %s", in->option, why.text);
    memcpy(target, &zone, sizeof zone);
    return GS_OK;
}

enum gs_status gs_opt_read(const struct gs_opt_text *in, void *target)
{
    switch (in->opt->kind) {
    case GS_OPT_COUNT:
        return set_count(in, target);
    case GS_OPT_SIZE:
        return set_size(in, target);
    case GS_OPT_REAL:
    case GS_OPT_SHARE:
        return set_real(in, target);
    case GS_OPT_DURATION:
    case GS_OPT_SHIFT:
        return set_duration(in, target);
    case GS_OPT_CHOICE:
        return set_choice(in, target);
    case GS_OPT_ZONE:
        return set_zone(in, target);
    case GS_OPT_TEXT:
    case GS_OPT_FILE:
    case GS_OPT_FILES:
    case GS_OPT_LIST:
    case GS_OPT_END:
    case GS_OPT_GROUP:
    case GS_OPT_FLAG:
    case GS_OPT_CLEAR:
        break;
    }
    return gs_fail(in->err, GS_ERR_INTERNAL, "%s: an option without value has one", in->option);
}

void gs_opt_show_arg(struct gs_buf *b, const struct gs_opt *o)
{
    static const char *const by_kind[] = {
        [GS_OPT_TEXT] = "TEXT",   [GS_OPT_FILE] = "FILE",  [GS_OPT_LIST] = "TEXT",
        [GS_OPT_FILES] = "FILE",  [GS_OPT_COUNT] = "N",    [GS_OPT_REAL] = "X",
        [GS_OPT_SIZE] = "SIZE",   [GS_OPT_SHIFT] = "TIME", [GS_OPT_DURATION] = "TIME",
        [GS_OPT_CHOICE] = "WORD", [GS_OPT_ZONE] = "ZONE",  [GS_OPT_SHARE] = "SHARE",
    };
    if (!gs_opt_has_value(o))
        return;
    if (o->arg != NULL) {
        gs_buf_text(b, o->arg);
    } else if (o->kind == GS_OPT_CHOICE) {
        for (size_t i = 0; o->choices[i] != NULL; i++) {
            gs_buf_text_if(b, i > 0, "|");
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
        const bool share = o->kind == GS_OPT_SHARE;
        (void)gs_real_format(text, share ? 100 * real : real);
        gs_buf_text(b, text);
        gs_buf_text_if(b, share, "%");
        return true;
    }
    memcpy(&ns, field, sizeof ns);
    if (o->kind == GS_OPT_SHIFT && (ns == 0 || ns == INT64_MIN))
        return false;
    if (o->kind != GS_OPT_SHIFT && (!duration_fits(o, ns) || ns == INT64_MAX))
        return false;
    show_duration(text, sizeof text, ns);
    gs_buf_text(b, text);
    return true;
}

/* The default of a choice in its words; NULL: none is meant. */
static const char *choice_default(const struct gs_opt *o, const char *field)
{
    int index;
    memcpy(&index, field, sizeof index);
    if (index < 0)
        return NULL;
    for (int i = 0; i < index; i++)
        if (o->choices[i] == NULL)
            return NULL;
    return o->choices[index];
}

/* Writes a number, or stores the text that stands for another value. True: it has been written. */
static bool show_field(struct gs_buf *b, const struct gs_opt *o, const char *field,
                       const char **text)
{
    switch (o->kind) {
    case GS_OPT_TEXT:
    case GS_OPT_FILE:
        memcpy(text, field, sizeof *text);
        return false;
    case GS_OPT_CHOICE:
        *text = choice_default(o, field);
        return false;
    case GS_OPT_COUNT:
    case GS_OPT_REAL:
    case GS_OPT_SHARE:
    case GS_OPT_DURATION:
    case GS_OPT_SHIFT:
        return show_number_default(b, o, field);
    default: /* lists, flags, sizes: what the help says without */
        return false;
    }
}

bool gs_opt_show_default(struct gs_buf *b, const struct gs_opt *o, const void *target)
{
    const char *text = o->kind == GS_OPT_ZONE ? "UTC" : NULL;
    if (target != NULL && show_field(b, o, (const char *)target + o->offset, &text))
        return true;
    if (text == NULL || text[0] == '\0')
        text = o->unset;
    if (text == NULL)
        return false;
    gs_buf_text(b, text);
    return true;
}
