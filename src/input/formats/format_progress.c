/*
 * format_progress.c - bars of tqdm, as trainers print them without another clock: "Epoch 1:  12%|#  | 12/96 [01:00<07:00, 5.00s/it,
 * loss=1.2]", written over one another on a line or each on its own. What a bar counted while its elapsed time moved on took equal
 * parts of that; lengths follow one another, as nothing says when the first began.
 */
#include "input/formats/formats.h"

#include <stdio.h>
#include <string.h>

#include "base/num/decimal.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"

enum { EACH_MAX = 1000 }; /* steps between two moves of a bar's clock; more are one event */

struct bar {
    struct gs_str what; /* "Epoch 1", "Loss: 1.99", "" */
    struct gs_str name; /* what stays of it: "Epoch", "Loss" */
    uint64_t n, total, elapsed_s;
};

/* Takes a whole number, and the text behind it, off a text. */
static bool take_count(struct gs_str *text, const char *behind, uint64_t *count)
{
    const size_t n = gs_str_skip(*text, 0, GS_ALL_DIGITS);
    const struct gs_str number = gs_str_part(*text, 0, n);
    *text = gs_str_after(*text, n);
    if (gs_count_parse(number, UINT32_MAX, count) != GS_NUMBER_OK || !gs_str_begins(*text, behind))
        return false;
    *text = gs_str_after(*text, strlen(behind));
    return true;
}

/* Bars of bytes and of examples are of downloads and of data. */
static bool counts_steps(struct gs_str rate)
{
    static const char *const units[] = {"it/s", "/it", "step", "batch"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (gs_str_holds(rate, units[i]))
            return true;
    return false;
}

/* "00:05", "1:02:03" */
static bool parse_elapsed(struct gs_str text, uint64_t *seconds)
{
    *seconds = 0;
    for (size_t n = 0; text.len > 0; n++) {
        const struct gs_str part = gs_str_take(&text, ':');
        uint64_t v;
        if (n == 3 || gs_count_parse(part, 99999, &v) != GS_NUMBER_OK)
            return false;
        *seconds = *seconds * 60 + v;
    }
    return true;
}

/* Readings in front of a bar change with each step; a number alone at the end, "DataLoader 0", is of its name. */
static struct gs_str name_of(struct gs_str what)
{
    const size_t digits = gs_str_until(what, 0, GS_ALL_DIGITS);
    if (gs_str_skip(what, digits, GS_ALL_DIGITS) == what.len)
        return what;
    return gs_str_strip(gs_str_part(what, 0, digits), " :=|,[(");
}

static bool parse_bar(struct gs_str text, struct bar *bar)
{
    const size_t percent = gs_str_find(text, "%|"),
                 from = gs_str_skip_back(text, percent, GS_ALL_DIGITS);
    if (percent == text.len || from == percent)
        return false;
    bar->what = gs_str_strip(gs_str_part(text, 0, from), " :");
    bar->name = name_of(bar->what);
    text = gs_str_after(text, percent + strlen("%|"));
    text = gs_str_after(text, gs_str_find(text, "| ") + strlen("| "));
    text = gs_str_after(text, gs_str_skip(text, 0, " "));
    if (!take_count(&text, "/", &bar->n) || !take_count(&text, " [", &bar->total))
        return false;
    const size_t end = gs_str_until(text, 0, "<,]");
    return counts_steps(gs_str_part(text, 0, gs_str_until(text, 0, "]"))) &&
           parse_elapsed(gs_str_part(text, 0, end), &bar->elapsed_s);
}

/* The next part of a line that a return of the carriage ends; ptr == NULL: there is none. */
static struct gs_str next_part(struct gs_str line, size_t *at)
{
    const size_t from = gs_str_skip(line, *at, "\r");
    *at = gs_str_until(line, from, "\r");
    return from == line.len ? GS_NO_STR : gs_str_part(line, from, *at);
}

/* Is half of a file's beginning bars? One of a loader amid a log of steps is not. */
static bool is_progress(struct gs_str head)
{
    enum { LEAST = 4 };
    size_t n_bars = 0, n_others = 0;
    while (head.len > 0) {
        const struct gs_str line = gs_head_line(&head);
        size_t at = 0;
        for (struct gs_str part; (part = next_part(line, &at)).ptr != NULL;) {
            struct bar bar;
            const bool is = parse_bar(part, &bar);
            n_bars += is;
            n_others += !is && gs_trimmed(part).len > 0;
        }
    }
    return n_bars >= LEAST && 2 * n_bars >= n_others;
}

/* A bar as it was when its clock last moved, and the seconds that bars inside it took since. */
struct open_bar {
    bool used;
    struct gs_buf name;
    uint64_t n, total, elapsed_s, inner_s;
};

enum { OPEN = 4 };

struct progress {
    struct open_bar open[OPEN];
    size_t next; /* whose place the next new bar takes */
};

/*
 * The steps of a bar from before->n on, in equal parts of `length_s`. "Epoch 1" is the epoch of steps, another text is what they
 * are called; those of a nameless bar inside another, an evaluation of 20, are "step of 20".
 */
static enum gs_status put_steps(struct gs_lines *l, const struct open_bar *before,
                                const struct bar *bar, bool is_inner, uint64_t length_s,
                                struct gs_err *err)
{
    const struct gs_str digits = gs_str_after(bar->what, gs_str_until(bar->what, 0, GS_ALL_DIGITS));
    const bool of_epoch =
        digits.len > 0 && (gs_str_begins(bar->what, "Epoch") || gs_str_begins(bar->what, "epoch"));
    const uint64_t n = bar->n - before->n, n_rows = n > EACH_MAX ? 1 : n,
                   all_ns = length_s * GS_NS_PER_S;
    struct gs_str event = bar->name;
    char length[40], number[24], named[40];
    if (of_epoch || event.len == 0) {
        (void)snprintf(named, sizeof named, "step%s", gs_text_if(n > EACH_MAX, "s"));
        if (is_inner)
            (void)snprintf(named, sizeof named, "step of %llu", (unsigned long long)bar->total);
        event = gs_str(named);
    }
    for (uint64_t i = 1; i <= n_rows; i++) {
        const uint64_t ns = all_ns / n_rows + (i <= all_ns % n_rows); /* they add up */
        (void)snprintf(length, sizeof length, "%llu.%09llu", (unsigned long long)(ns / GS_NS_PER_S),
                       (unsigned long long)(ns % GS_NS_PER_S));
        (void)snprintf(number, sizeof number, "%llu",
                       (unsigned long long)(i == n_rows ? bar->n : before->n + i));
        gs_record_sink_set(l->out, gs_str("event"), event);
        gs_record_sink_set(l->out, gs_str("step"), gs_str(number));
        gs_record_sink_set(l->out, gs_str("duration_s"), gs_str(length));
        if (of_epoch)
            gs_record_sink_set(l->out, gs_str("epoch"),
                               gs_str_part(digits, 0, gs_str_skip(digits, 0, GS_ALL_DIGITS)));
        GS_TRY(gs_lines_end(l, bar->what, err));
    }
    return GS_OK;
}

/* The bar that a line goes on with, or a place for one that begins: its counts are below those before, or none is its like. */
static struct open_bar *find_open(struct gs_lines *l, struct progress *p, const struct bar *bar)
{
    struct open_bar *at = NULL;
    for (size_t i = 0; i < OPEN && at == NULL; i++)
        if (p->open[i].used && p->open[i].total == bar->total &&
            gs_str_eq(bar->name, gs_buf_str(&p->open[i].name)))
            at = &p->open[i];
    if (at != NULL && bar->n >= at->n && bar->elapsed_s >= at->elapsed_s)
        return at;
    if (at == NULL)
        at = &p->open[p->next++ % OPEN];
    at->name.arena = l->in->arena;
    gs_buf_set(&at->name, bar->name);
    l->out->full |= at->name.failed;
    at->total = bar->total;
    at->n = at->elapsed_s = at->inner_s = 0;
    at->used = true;
    return at;
}

/* What a bar counted since its clock last moved, less what bars inside it took: a validation amid an epoch is none of its steps. */
static enum gs_status follow(struct gs_lines *l, struct progress *p, const struct bar *bar,
                             struct gs_err *err)
{
    struct open_bar *const at = find_open(l, p, bar);
    const uint64_t moved_s = bar->elapsed_s - at->elapsed_s;
    if (bar->n == at->n || moved_s == 0)
        return GS_OK;
    const uint64_t own_s = moved_s - gs_min(moved_s, at->inner_s);
    bool is_inner = false;
    for (size_t i = 0; i < OPEN; i++)
        is_inner |= p->open[i].used && p->open[i].name.len == 0 && p->open[i].total > bar->total;
    if (own_s > 0)
        GS_TRY(put_steps(l, at, bar, is_inner, own_s, err));
    at->n = bar->n;
    at->elapsed_s = bar->elapsed_s;
    at->inner_s = 0;
    for (size_t i = 0; i < OPEN; i++)
        if (&p->open[i] != at)
            p->open[i].inner_s += own_s;
    return GS_OK;
}

static enum gs_status progress_line(struct gs_lines *l, struct gs_str line, struct gs_err *err)
{
    size_t at = 0;
    for (struct gs_str part; (part = next_part(line, &at)).ptr != NULL;) {
        struct bar bar;
        if (parse_bar(part, &bar))
            GS_TRY(follow(l, l->own, &bar, err));
        else
            l->out->n_other += gs_trimmed(part).len > 0;
    }
    return GS_OK;
}

const struct gs_form gs_form_progress = {.name = "progress",
                                         .sign = {"%|"},
                                         .matches = is_progress,
                                         .lines = {sizeof(struct progress), .line = progress_line}};
