/* report_head.c - the top of a report: the answer in one line, and the numbers that a reader wants first. */
#include <math.h>
#include <string.h>

#include "base/num/calendar.h"
#include "app/report/report_answer.h"
#include "data/result/number_text.h"
#include "output/text/cells.h"
#include "output/text/si.h"

#define ONE_SPAN                                                                                   \
    0.97 /* the shorter of the events' and the samples' time, of the longer: they are one span; so of energies */

/* clang-format off */
const enum gs_report_part gs_report_order[GS_N_PARTS] = {
    GS_PART_AGAINST, GS_PART_JOBS, GS_PART_STRAGGLERS, GS_PART_TIMELINE, GS_PART_GPUS, GS_PART_EVENTS, GS_PART_BIAS, GS_PART_BALANCE,
    GS_PART_SCHEDULE, GS_PART_CLUSTERS, GS_PART_TILES, GS_PART_ZOOM, GS_PART_CHECK,
};
/* clang-format on */

bool gs_report_in_appendix(const struct gs_report *r, enum gs_report_part part)
{
    return r->join.join != GS_JOIN_WINDOW && gs_report_has(r, GS_TABLE_CHECKPOINTS) &&
           gs_report_has(r, GS_TABLE_SAMPLES) &&
           (part == GS_PART_EVENTS || part == GS_PART_ZOOM || part == GS_PART_GPUS);
}

bool gs_report_is_over_time(const struct gs_panel *p)
{
    return (p->x == GS_COL_TIME || p->x == GS_COL_FROM || p->group == GS_COL_RUN) &&
           p->only_column == GS_COL_NONE;
}

static double value_of(const struct gs_report *r, const char *answer, const char *name)
{
    for (size_t i = 0; i < r->n_answers; i++)
        for (size_t k = 0; strcmp(r->answer[i].id, answer) == 0 && k < r->answer[i].n_values; k++)
            if (strcmp(r->answer[i].value[k].name, name) == 0)
                return r->answer[i].value[k].value;
    return (double)NAN;
}

/* The length of the run: of its events, else of its samples. */
static double length_of(const struct gs_report *r)
{
    const double events = gs_report_quantity(r, "checkpoint_span_s");
    return events > 0 ? events : gs_report_quantity(r, "gpu_span_s");
}

/* Energies are of all samples, whose time may be far less than the events', or more. */
static bool has_two_spans(const struct gs_report *r)
{
    const double events = gs_report_quantity(r, "checkpoint_span_s"),
                 samples = gs_report_quantity(r, "gpu_span_s");
    return events > 0 && fmin(events, samples) < ONE_SPAN * fmax(events, samples);
}

static void write_log(struct gs_buf *b, const char *before, const struct gs_report *r)
{
    if (has_two_spans(r))
        gs_buf_format(b, "%sin the %s of the log", before,
                      gs_time_text(b, gs_report_quantity(r, "gpu_span_s")));
}

static struct gs_str text_of(struct gs_buf *b)
{
    return gs_str(gs_or_empty(gs_buf_whole(b)));
}

static void time_card(const struct gs_report *r, struct gs_report_card *c, struct gs_arena *arena)
{
    struct gs_buf value = {.arena = arena}, more = {.arena = arena};
    static const char *const nouns[GS_N_KINDS] = {
        [GS_KIND_FARM] = "task", [GS_KIND_JOBS] = "job", [GS_KIND_MIXED] = "job"};
    double n = value_of(r, "time", "tasks");
    if (gs_report_is_of_jobs(r))
        n = value_of(r, "jobs", "jobs");
    else if (gs_report_is_of_steps(r))
        n = value_of(r, "steps", "steps");
    if (!(length_of(r) > 0))
        return;
    gs_words_time(&value, length_of(r));
    const char *const noun = gs_report_is_of_steps(r) ? r->kind_found.noun : nouns[r->kind];
    if (noun != NULL && n > 0)
        gs_buf_format(&more, "%s on ", gs_counted_text(&more, (uint64_t)n, noun));
    if (gs_report_has(r, GS_TABLE_SAMPLES))
        gs_words_counted(&more, (uint64_t)gs_report_quantity(r, "gpus"), gs_report_device(r));
    else
        gs_words_counted(&more, (uint64_t)gs_report_quantity(r, "hostnames"), "host");
    *c = (struct gs_report_card){"timeline", "Time", text_of(&value), text_of(&more)};
}

/* ": sensor calibration unknown", of the note that explains the width of the intervals; nothing where they are narrow. */
static void write_reason(struct gs_buf *b, const struct gs_report *r)
{
    for (const struct gs_note *n = r->out->notes.first; n != NULL; n = n->next) {
        const char *const from = strstr(n->text, ": "), *const to = strrchr(n->text, '(');
        if (n->kind != GS_NOTE_UNCERTAINTY || from == NULL || to == NULL)
            continue;
        gs_buf_bytes(b, from, (size_t)(to - from) - 1);
        return;
    }
}

static void energy_card(const struct gs_report *r, struct gs_report_card *c, struct gs_arena *arena)
{
    struct gs_buf value = {.arena = arena}, more = {.arena = arena};
    const double joules = value_of(r, "energy", "energy_j"),
                 low = value_of(r, "energy", "energy_low_j"),
                 high = value_of(r, "energy", "energy_high_j"),
                 cost = value_of(r, "energy", "cost");
    if (!(joules > 0))
        return;
    gs_buf_si(&value, joules, "J", 0);
    write_log(&more, "", r);
    gs_buf_text_if(&more, more.len > 0 && isfinite(high - low), "; ");
    if (isfinite(high - low)) {
        const char *const below = gs_number_text(&more, 100 * (joules - low) / joules, 0),
                          *const above = gs_number_text(&more, 100 * (high - joules) / joules, 0);
        if (strcmp(below, above) == 0)
            gs_buf_format(&more, "\xc2\xb1%s %%", above);
        else
            gs_buf_format(&more, "\xe2\x88\x92 %s %%, + %s %%", below, above);
        write_reason(&more, r);
    }
    if (isfinite(cost)) {
        gs_buf_text_if(&more, more.len > 0, "; ");
        gs_buf_text(&more, "cost ");
        gs_answer_price(&more, r, cost);
    }
    const char *section = "gpus";
    if (r->section[GS_PART_BALANCE].missing == NULL)
        section = "balance";
    else if (r->section[GS_PART_JOBS].missing == NULL)
        section = "jobs";
    *c = (struct gs_report_card){section, "Energy", text_of(&value), text_of(&more)};
}

static void busy_card(const struct gs_report *r, struct gs_report_card *c, struct gs_arena *arena)
{
    struct gs_buf value = {.arena = arena};
    double busy = value_of(r, "time", "busy_pct"), idle = value_of(r, "energy", "idle_time_pct");
    const char *more = "of the GPUs' time in tasks", *section = "schedule";
    if (isnan(idle))
        idle = value_of(r, "phases", "idle_time_pct");
    if (gs_report_is_of_jobs(r)) {
        idle = value_of(r, "jobs", "idle_pct");
        section = "jobs";
        more = "of the GPU-hours that jobs held";
    } else if (isnan(busy)) {
        section = r->section[GS_PART_BALANCE].missing == NULL ? "balance" : "gpus";
        more = "of the time, by power";
        if (gs_report_has(r, GS_TABLE_CHECKPOINTS))
            more = "of the GPUs' time in events";
    }
    if (isnan(busy))
        busy = 100 - idle;
    if (isnan(busy))
        return;
    gs_buf_format(&value, "%s %%", gs_number_text(&value, busy, 1));
    *c = (struct gs_report_card){section, "Busy", text_of(&value), gs_str(more)};
}

static void data_card(const struct gs_report *r, struct gs_report_card *c, struct gs_arena *arena)
{
    struct gs_buf value = {.arena = arena};
    const double n = value_of(r, "data", "findings");
    *c = (struct gs_report_card){"check", "Data", gs_str("good"), gs_str("no check found a fault")};
    if (n + (double)r->n_warnings > 0) {
        gs_words_counted(&value, (uint64_t)n + r->n_warnings, "warning");
        c->value = text_of(&value);
        c->more = gs_str(n > 0 ? "see data quality" : "on how the data were read");
    }
}

/* What the study's method hides of a task's power. */
static void method_card(const struct gs_report *r, struct gs_report_card *c, struct gs_arena *arena)
{
    struct gs_buf value = {.arena = arena};
    const double hidden = value_of(r, "method", "hidden_pct");
    if (!(fabs(hidden) >= 1))
        return;
    gs_buf_format(&value, "%s %%", gs_number_text(&value, fabs(hidden), 0));
    *c = (struct gs_report_card){"bias", hidden > 0 ? "Hidden power" : "Added power",
                                 text_of(&value), gs_str("by reading tasks at their ends")};
}

size_t gs_report_cards(const struct gs_report *r, struct gs_report_card card[GS_REPORT_CARDS],
                       struct gs_arena *arena)
{
    struct gs_report_card all[GS_REPORT_CARDS] = {{0}};
    size_t n = 0;
    time_card(r, &all[0], arena);
    energy_card(r, &all[1], arena);
    busy_card(r, &all[2], arena);
    all[3] = r->worst;
    data_card(r, &all[4], arena);
    method_card(r, &all[5], arena);
    for (size_t i = 0; i < GS_REPORT_CARDS; i++)
        if (all[i].section != NULL)
            card[n++] = all[i];
    return n;
}

/* Was what a run of this kind consists of counted? --event may name what is not there. */
static bool is_counted(const struct gs_report *r)
{
    if (gs_report_is_of_steps(r))
        return value_of(r, "steps", "steps") > 0;
    if (r->kind == GS_KIND_FARM)
        return value_of(r, "time", "tasks") > 0;
    if (r->kind == GS_KIND_TRACE)
        return value_of(r, "trace", "calls") > 0;
    return !gs_report_is_of_jobs(r) || value_of(r, "jobs", "jobs") > 0;
}

/* What the run did, with the numbers of its kind: fields stand in braces. */
static void write_template(struct gs_buf *b, const struct gs_report *r)
{
    static const char of_jobs[] = "{jobs} ran in {time}. {gpus} used {energy}{log}; those "
                                  "that jobs held were idle {idle} of the time.";
    static const char of_log[] = " {gpus} used {energy}{log}.";
    static const struct {
        const char *energy, *time; /* where the energy is known of the same time, and where not */
    } templates[GS_N_KINDS] = {
        [GS_KIND_LOG] = {"{gpus} used {energy} in {time}.", ""},
        [GS_KIND_STEPS] = {"{steps} in {time} used {stepped}, {each} each.",
                           "{steps} took {time}."},
        [GS_KIND_PHASES] = {"The run took {time} and {energy}.", "The run took {time}."},
        [GS_KIND_FARM] = {"{tasks} took {time} and {energy}, with the workers {busy} busy.",
                          "{tasks} took {time}, with the workers {busy} busy."},
        [GS_KIND_JOBS] = {of_jobs, "{jobs} held {held} GPU-hours in {time}."},
        [GS_KIND_MIXED] = {of_jobs, "{jobs} held {held} GPU-hours in {time}."},
        [GS_KIND_TRACE] = {"{calls} took {time} and {energy}.", "{calls} took {time}."},
    };
    enum gs_kind kind = gs_report_is_of_steps(r) ? GS_KIND_STEPS : r->kind;
    if (!is_counted(r))
        kind = GS_KIND_PHASES;
    const bool energy = value_of(r, "energy", "energy_j") > 0,
               jobs = templates[kind].energy == of_jobs,
               steps = kind == GS_KIND_STEPS && value_of(r, "steps", "energy_j") > 0,
               all = steps && value_of(r, "steps", "energy_j") >
                                  ONE_SPAN * value_of(r, "energy", "energy_j");
    if (energy && steps && value_of(r, "steps", "energy_known_pct") < 99)
        gs_buf_text(b,
                    "{steps} took {time}; those that the log covers used {stepped}, {each} each.");
    else if (energy && (jobs || steps || (kind != GS_KIND_STEPS && !has_two_spans(r))))
        gs_buf_text(b, templates[kind].energy);
    else
        gs_buf_text(b, templates[kind].time);
    gs_buf_text_if(b, energy && !jobs && !all && (kind == GS_KIND_STEPS || has_two_spans(r)),
                   of_log);
}

static void write_field(struct gs_buf *b, const struct gs_report *r, struct gs_str name)
{
    enum form { COUNT, JOULES, PERCENT, HOURS };
    const struct {
        const char *field, *answer, *value; /* of which answer's numbers it is which */
        enum form form;
        const char *noun;
    } fields[] = {
        {"energy", "energy", "energy_j", JOULES, NULL},
        {"each", "steps", "energy_per_step_j", JOULES, NULL},
        {"stepped", "steps", "energy_j", JOULES, NULL},
        {"busy", "time", "busy_pct", PERCENT, NULL},
        {"idle", "jobs", "idle_pct", PERCENT, NULL},
        {"steps", "steps", "steps", COUNT, r->kind_found.noun},
        {"tasks", "time", "tasks", COUNT, "task"},
        {"calls", "trace", "calls", COUNT, "call"},
        {"jobs", "jobs", "jobs", COUNT, "job"},
        {"held", "jobs", "gpu_h", HOURS, NULL},
    };
    if (gs_str_eq(name, gs_str("gpus")))
        gs_words_counted(b, (uint64_t)gs_report_quantity(r, "gpus"), gs_report_device(r));
    if (gs_str_eq(name, gs_str("time")))
        gs_words_time(b, length_of(r));
    if (gs_str_eq(name, gs_str("log")))
        write_log(b, " ", r);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (!gs_str_eq(name, gs_str(fields[i].field)))
            continue;
        const double v = value_of(r, fields[i].answer, fields[i].value);
        if (fields[i].form == COUNT)
            gs_words_counted(b, (uint64_t)v, fields[i].noun);
        else if (fields[i].form == JOULES)
            gs_buf_si(b, v, "J", 0);
        else if (fields[i].form == HOURS)
            gs_buf_four(b, v);
        else
            gs_buf_format(b, "%s %%", gs_number_text(b, v, 1));
    }
}

static void write_range(struct gs_buf *b, const struct gs_report *r)
{
    const struct gs_range *const range = r->data.range;
    char text[GS_LOCAL_TEXT_MAX];
    if (range == NULL)
        return;
    gs_buf_text(b, " This is of the time");
    const int64_t borders[] = {range->from_ns, range->to_ns};
    for (int k = 0; k < 2; k++)
        if (borders[k] != INT64_MIN && borders[k] != INT64_MAX)
            gs_buf_format(b, " %s %s", k == 0 ? "from" : "to",
                          gs_time_words(text, &r->opts->run.dataset.zone, borders[k]));
    gs_buf_text(b, " alone.");
}

enum gs_status gs_report_verdict(struct gs_report *r, struct gs_err *err)
{
    struct gs_buf b = {.arena = r->context->arena};
    struct gs_buf template = b;
    write_template(&template, r);
    const char *at = gs_or_empty(gs_buf_whole(&template));
    while (*at != '\0') {
        const size_t plain = strcspn(at, "{"), field = strcspn(at + plain, "}");
        gs_buf_bytes(&b, at, plain);
        at += plain;
        if (*at == '{') {
            write_field(&b, r, (struct gs_str){at + 1, field - 1});
            at += field + 1;
        }
    }
    write_range(&b, r);
    const struct gs_str more[] = {r->compared, r->worst_words};
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
        gs_buf_text_if(&b, b.len > 0 && more[k].len > 0, " ");
        gs_buf_add(&b, more[k]);
    }
    r->verdict = gs_buf_str(&b);
    return gs_had_memory(!b.failed, err);
}
