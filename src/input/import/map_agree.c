/* map_agree.c - the traps between two sources: each one error, with what was found and what to type. */
#include "input/import/map_agree.h"

#include <stdlib.h>
#include <string.h>

#include "base/num/calendar.h"
#include "base/num/order.h"
#include "base/num/zone_rule.h"
#include "base/core/pattern.h"

static void put_file(struct gs_buf *b, const struct gs_source *s)
{
    gs_buf_escaped(b, gs_file_called(s->files.item[0]), 120);
    if (s->files.n > 1)
        gs_buf_format(b, " and %zu more", s->files.n - 1);
}

static void put_both(struct gs_buf *b, const struct gs_source *one, const struct gs_source *other)
{
    put_file(b, one);
    gs_buf_text(b, " and ");
    put_file(b, other);
}

/* The sentence as the failure. */
static enum gs_status fail_with(const struct gs_buf *b, struct gs_err *err)
{
    GS_TRY(gs_had_memory(!b->failed, err));
    return gs_fail(err, GS_ERR_DATA, "%s", gs_buf_str(b).ptr);
}

/* Any common metric is a conflict, since its samples would be taken twice, unless each is of a GPU of its own. */
static bool same_metric(const struct gs_source *a, const struct gs_source *b, struct gs_str *metric)
{
    const bool said = a->gpu.kind == b->gpu.kind && a->gpu.kind == GS_VALUE_TEXT,
               by_file = a->gpu.kind == GS_VALUE_FILE && b->gpu.kind == GS_VALUE_FILE;
    if (by_file || (said && !gs_str_eq(a->gpu.text, b->gpu.text)))
        return false;
    for (size_t i = 0; i < a->metrics.n; i++)
        for (size_t k = 0; k < b->metrics.n; k++)
            if (gs_str_eq(a->metrics.item[i].name, b->metrics.item[k].name)) {
                *metric = a->metrics.item[i].name;
                return true;
            }
    return false;
}

/* Jobs of an archive: each has a file of its own, with a clock that begins with the job. */
static bool are_jobs(const struct gs_source *a, const struct gs_source *b)
{
    return gs_source_form(a)->is_archive && gs_source_form(b)->is_archive &&
           a->origin.kind == GS_VALUE_TEXT && b->origin.kind == GS_VALUE_TEXT;
}

/* Are a log's steps and its marks: all files of the one those of the other, which holds other events? */
static bool are_of_one_log(const struct gs_source *steps, const struct gs_source *marks)
{
    bool all = steps->role == GS_ROLE_EVENTS && !gs_str_eq(steps->form, marks->form);
    for (size_t i = 0; all && i < marks->files.n; i++)
        all = gs_texts_contain(&steps->files, marks->files.item[i]);
    return all;
}

/* Are two lists with dates of other things each, "step" and "batch"? Then neither tells what the other does. */
static bool tell_other_events(const struct gs_source *a, const struct gs_source *b)
{
    return a->event.kind == GS_VALUE_TEXT && b->event.kind == GS_VALUE_TEXT && !a->own_clock &&
           !b->own_clock && !gs_source_is_chain(a) && !gs_source_is_chain(b) &&
           !gs_str_eq(a->event.text, b->event.text);
}

/*
 * Only for sources that gpustat detected itself: a user who names two files in a role means
 * both.
 */
enum gs_status gs_map_agree_roles(const struct gs_map *map, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    for (size_t i = 0; i < map->n_sources; i++)
        for (size_t k = i + 1; k < map->n_sources; k++) {
            const struct gs_source *const a = &map->source[i], *const b = &map->source[k];
            struct gs_str metric = {NULL, 0};
            if (a->role != b->role || !a->detected || !b->detected || are_jobs(a, b) ||
                are_of_one_log(a, b) || (a->role == GS_ROLE_EVENTS && tell_other_events(a, b)) ||
                (a->role == GS_ROLE_SAMPLES && !same_metric(a, b, &metric)))
                continue;
            struct gs_buf text = {.arena = &own};
            put_both(&text, a, b);
            gs_buf_format(&text, " both hold %s", gs_role_names[a->role]);
            if (metric.ptr != NULL)
                gs_buf_format(&text, " of %s", GS_SHOWN(metric, 80));
            gs_buf_format(&text, ", expected one; choose with --%s FILE", gs_role_names[a->role]);
            return fail_with(&text, err);
        }
    return GS_OK;
}

/* What a role came to over its sources. */
struct side {
    int64_t from_ns, to_ns;
    bool any, zoneless, zoned, zone_said;
    uint64_t n_rows, n_without_host, n_without_gpu;
    struct gs_intern host;
    const struct gs_source *first;
};

/* Rows that were set aside or ignored do not count, as they have no time to compare. */
static enum gs_status sum_side(const struct gs_mapped_source *list, size_t n, enum gs_role role,
                               struct gs_arena *scratch, struct side *side, struct gs_err *err)
{
    *side = (struct side){.from_ns = GS_MISSING, .to_ns = GS_MISSING, .host = {.arena = scratch}};
    side->host.seed = n == 0 ? 0 : list->found.host.seed;
    for (size_t i = 0; i < n; i++) {
        const struct gs_mapped_source *const m = &list[i];
        if (m->source->role != role)
            continue;
        if (side->first == NULL)
            side->first = m->source;
        for (size_t k = 0; k < m->source->path.n; k++) {
            const struct gs_mapped_file *const f = &m->file[k];
            side->n_rows += f->n_rows - f->n_set_aside - f->n_ignored;
            side->n_without_host += f->n_without_host;
            side->n_without_gpu += f->n_without_gpu;
            if (f->from_ns == GS_MISSING)
                continue;
            side->any = true;
            gs_time_widen(&side->from_ns, &side->to_ns, f->from_ns);
            gs_time_widen(&side->from_ns, &side->to_ns, f->to_ns);
            side->zoneless |= f->zoneless;
            side->zoned |= f->zoned;
            side->zone_said |= m->source->zone.ptr != NULL;
        }
        for (uint32_t h = 0; h < m->found.host.n; h++)
            if (gs_intern_add(&side->host, m->found.host.text[h]) == GS_INTERN_NONE)
                return gs_fail_memory(err);
    }
    return GS_OK;
}

static void put_side(struct gs_buf *b, const char *name, const struct side *s)
{
    char from[GS_LOCAL_TEXT_MAX], to[GS_LOCAL_TEXT_MAX];
    put_file(b, s->first);
    gs_buf_format(b, " (%s, %s to %s%s)", name, gs_time_words(from, NULL, s->from_ns),
                  gs_time_words(to, NULL, s->to_ns),
                  s->zoneless && !s->zone_said ? ", no zone" : "");
}

/*
 * The offset that, taken off the zoneless side, gives both most time in common, of those that some zone has; of several the
 * nearest to UTC, which *only tells. False where none gives any.
 * 128 bits, since a difference of two times may not fit 64.
 */
static bool find_zone(const struct side *zoneless, const struct side *other, int *minutes,
                      bool *only)
{
    gs_i128 most = 0;
    *only = false;
    for (size_t i = 0; i < GS_N_ZONES; i++) {
        const gs_i128 off = gs_zone_minutes[i] * (60 * (gs_i128)GS_NS_PER_S);
        const gs_i128 from = zoneless->from_ns - off, to = zoneless->to_ns - off;
        const gs_i128 common =
            gs_min(to, (gs_i128)other->to_ns) - gs_max(from, (gs_i128)other->from_ns);
        *only = common > most || (*only && common < most);
        if (common <= most)
            continue;
        most = common;
        *minutes = gs_zone_minutes[i];
    }
    return most > 0;
}

/* Is there a time without a zone, and nothing that says which? */
static bool is_open(const struct side *s, bool zone_given)
{
    return s->zoneless && !s->zone_said && !zone_given;
}

/* Does one side name no zone, the other one in every time? */
static bool is_mixed(const struct side *open, const struct side *other, bool zone_given)
{
    return is_open(open, zone_given) && other->zoned && !other->zoneless;
}

/*
 * A wrong zone moves all events by hours and still gives a result, so gpustat stops unless the
 * overlap leaves no doubt: in UTC both have more in common than in any other zone; or the events
 * are a list of jobs, which reaches beyond the samples as it likes: its ends tell nothing, and
 * gs_doubt_jobs_zone looks at the load.
 */
static enum gs_status agree_times(const struct side *samples, const struct side *events,
                                  bool zone_given, struct gs_arena *scratch, struct gs_err *err)
{
    const bool s_open = is_open(samples, zone_given);
    const struct side *const zoneless = s_open ? samples : events, *const other =
                                                                       s_open ? events : samples;
    const bool mixed =
        is_mixed(samples, events, zone_given) || is_mixed(events, samples, zone_given);
    const bool apart = samples->to_ns < events->from_ns || events->to_ns < samples->from_ns;
    struct gs_buf b = {.arena = scratch};
    int minutes = 0;
    bool only = false;
    if (!mixed && !apart)
        return GS_OK;
    const bool fits = mixed && find_zone(zoneless, other, &minutes, &only);
    if (fits && only && minutes == 0)
        return GS_OK;
    if (fits && !apart && gs_source_form(events->first)->is_of_jobs)
        return GS_OK;
    put_side(&b, "samples", samples);
    gs_buf_text(&b, " and ");
    put_side(&b, "events", events);
    gs_buf_text(&b, apart ? " do not overlap in time" : " may differ in zone");
    if (fits && minutes != 0)
        gs_buf_format(&b, "; they overlap with --set %s.zone=%c%02d:%02d",
                      s_open ? "samples" : "events", minutes < 0 ? '-' : '+', abs(minutes) / 60,
                      abs(minutes) % 60);
    if (mixed)
        gs_buf_text(&b, "; --tz UTC if they are UTC");
    else
        gs_buf_format(
            &b, "; --set samples.shift=DURATION or --set samples.zone=+HH:MM moves one of them");
    return fail_with(&b, err);
}

static void put_hosts(struct gs_buf *b, const struct side *s)
{
    for (uint32_t i = 0; i < s->host.n && i < 8; i++) {
        gs_buf_text_if(b, i > 0, ", ");
        gs_buf_escaped(b, s->host.text[i], 60);
    }
    if (s->host.n > 8)
        gs_buf_format(b, " and %u more", s->host.n - 8);
}

static bool has_common_host(const struct side *a, const struct side *b)
{
    for (uint32_t i = 0; i < b->host.n; i++)
        if (gs_intern_find(&a->host, b->host.text[i]) != GS_INTERN_NONE)
            return true;
    return false;
}

/* One host in common is enough. A side that names no host fits any other. */
static enum gs_status agree_hosts(const struct side *samples, const struct side *events,
                                  struct gs_arena *scratch, struct gs_err *err)
{
    struct gs_buf b = {.arena = scratch};
    if (events->host.n > 1 && samples->host.n == 0) {
        put_file(&b, samples->first);
        gs_buf_text(&b, ": the samples name no host, the events several (");
        put_hosts(&b, events);
        gs_buf_text(&b, "); --set samples.host.text=NAME names it, --set events.host= ignores the "
                        "events'");
        return fail_with(&b, err);
    }
    if (events->host.n == 0 || samples->host.n == 0)
        return GS_OK;
    if (has_common_host(samples, events))
        return GS_OK;
    gs_buf_text(&b, "no host in common: the samples name ");
    put_hosts(&b, samples);
    gs_buf_text(&b, "; the events ");
    put_hosts(&b, events);
    gs_buf_text(&b, "; --set 'samples.host.like=PREFIX{}' drops a prefix, --set "
                    "'samples.host.like={}.*' a domain, --set samples.host.names.FROM=TO renames");
    return fail_with(&b, err);
}

/* Is a host of `full` one of the other side's once its domain is cut off? */
static bool differ_by_domain(const struct side *full, const struct side *other)
{
    for (uint32_t i = 0; i < full->host.n; i++) {
        struct gs_str rest = full->host.text[i];
        const struct gs_str name = gs_str_take(&rest, '.');
        if (rest.len > 0 && gs_intern_find(&other->host, name) != GS_INTERN_NONE)
            return true;
    }
    return false;
}

/* The samples' hosts under the names that events have for them in other letters; none where none is such. */
static enum gs_status list_cases(const struct side *samples, const struct side *events,
                                 struct gs_arena *arena, struct gs_map_value *host,
                                 struct gs_err *err)
{
    GS_NEW(struct gs_map_name, names, samples->host.n, arena, err);
    size_t n = 0;
    for (uint32_t i = 0; i < samples->host.n; i++)
        for (uint32_t k = 0; k < events->host.n; k++)
            if (gs_str_eq_nocase(samples->host.text[i], events->host.text[k])) {
                GS_TRY(gs_had_memory(gs_str_copy(arena, samples->host.text[i], &names[n].from) &&
                                         gs_str_copy(arena, events->host.text[k], &names[n].to),
                                     err));
                n++;
                break;
            }
    host->names = names;
    host->n_names = n;
    return GS_OK;
}

/* Gives the hosts of a role's sources another form, where nobody gave them one; false: there are none such. */
static bool set_hosts(struct gs_map *map, enum gs_role role, const struct gs_map_value *form)
{
    bool any = false;
    for (size_t i = 0; i < map->n_sources; i++) {
        struct gs_map_value *const host = &map->source[i].host;
        if (map->source[i].role != role || host->kind != GS_VALUE_COLUMN ||
            host->like.ptr != NULL || host->n_names > 0)
            continue;
        host->like = form->like;
        host->names = form->names;
        host->n_names = form->n_names;
        any = true;
    }
    return any;
}

enum gs_status gs_map_match_hosts(struct gs_map *map, const struct gs_mapped_source *list,
                                  struct gs_arena *arena, bool *changed, struct gs_notes *notes,
                                  struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    struct side side[2];
    static const enum gs_role roles[2] = {GS_ROLE_SAMPLES, GS_ROLE_EVENTS};
    int cut = -1; /* the side whose domains are cut off */
    struct gs_map_value other = {0};
    *changed = false;
    for (int k = 0; k < 2; k++)
        GS_TRY(sum_side(list, map->n_sources, roles[k], &scratch, &side[k], err));
    if (side[0].host.n == 0 || side[1].host.n == 0 || has_common_host(&side[0], &side[1]))
        return GS_OK;
    for (int k = 0; k < 2 && cut < 0; k++)
        cut = differ_by_domain(&side[k], &side[1 - k]) ? k : -1;
    if (cut < 0)
        GS_TRY(list_cases(&side[0], &side[1], arena, &other, err));
    if (cut >= 0)
        other.like = gs_str("{}.*");
    if (cut >= 0 || other.n_names > 0)
        *changed = set_hosts(map, roles[gs_max(cut, 0)], &other);
    if (*changed)
        gs_note(notes, GS_NOTE_INFO,
                "samples and events name the same hosts but for %s: %s is taken for %s",
                cut >= 0 ? "a domain" : "the case of letters", GS_SHOWN(side[0].host.text[0], 80),
                GS_SHOWN(side[1].host.text[0], 80));
    return GS_OK;
}

/* Samples of GPUs that nothing tells apart, while the events name several. */
static enum gs_status agree_gpus(const struct gs_mapped_source *list, size_t n,
                                 const struct side *samples, struct gs_arena *scratch,
                                 struct gs_err *err)
{
    struct gs_buf b = {.arena = scratch};
    uint32_t n_gpus = 0;
    for (size_t i = 0; i < n; i++)
        if (list[i].source->role == GS_ROLE_EVENTS)
            n_gpus = gs_max(list[i].found.gpu.n, n_gpus);
    if (n_gpus < 2 || samples->n_without_gpu == 0)
        return GS_OK;
    put_file(&b, samples->first);
    gs_buf_format(&b,
                  ": the samples name no GPU, while the events name %u; choose with --set "
                  "samples.gpu.column=NAME, or drop the events' with --set events.gpu=",
                  n_gpus);
    return fail_with(&b, err);
}

static bool overlap(const struct gs_mapped_file *a, const struct gs_mapped_file *b)
{
    return a->from_ns != GS_MISSING && b->from_ns != GS_MISSING && a->from_ns <= b->to_ns &&
           b->from_ns <= a->to_ns;
}

bool gs_map_find_apart(const struct gs_mapped_source *m, size_t pair[2])
{
    for (size_t i = 0; m->source->host_inferred && i < m->source->path.n; i++)
        for (size_t k = i + 1; k < m->source->path.n; k++)
            if (!overlap(&m->file[i], &m->file[k]) && m->file[i].from_ns != GS_MISSING &&
                m->file[k].from_ns != GS_MISSING) {
                pair[0] = i;
                pair[1] = k;
                return true;
            }
    return false;
}

void gs_map_put_run(struct gs_buf *b, const struct gs_source *s, size_t file, size_t other)
{
    struct gs_kept own = {0}, another = {0};
    const struct gs_str path = s->path.item[file];
    if (!gs_pattern_match_path(s->host.text, path, &own) ||
        !gs_pattern_match_path(s->host.text, s->path.item[other], &another)) {
        gs_buf_escaped(b, path, 0);
        return;
    }
    const char *const end = own.part.ptr + own.part.len;
    const bool begins = another.part.len > own.part.len &&
                        memcmp(another.part.ptr, own.part.ptr, own.part.len) == 0;
    const bool folder = *end == '/';
    gs_buf_text_if(b, !folder, "'");
    gs_buf_escaped(b, (struct gs_str){path.ptr, (size_t)(end - path.ptr)}, 0);
    gs_buf_text_if(b, !folder, begins ? "[!0-9A-Za-z]*'" : "*'");
}

/*
 * Hosts guessed from files' names: files that follow one another are one host's, cut by time, or several runs'.
 * logrotate cuts one log into gpu.log.1, gpu.log.2: times that follow one another, names that
 * differ. Read as hosts, each would be idle for most of the run.
 */
static enum gs_status agree_rotation(const struct gs_mapped_source *m, struct gs_arena *scratch,
                                     struct gs_err *err)
{
    struct gs_buf b = {.arena = scratch};
    size_t pair[2];
    if (!gs_map_find_apart(m, pair))
        return GS_OK;
    gs_buf_format(
        &b,
        "%s and %s do not overlap in time: two runs, or one log in parts? Name one run, such as ",
        GS_SHOWN(gs_file_called(m->source->files.item[pair[0]]), 124),
        GS_SHOWN(gs_file_called(m->source->files.item[pair[1]]), 124));
    gs_map_put_run(&b, m->source, pair[0], pair[1]);
    gs_buf_format(&b,
                  "; for parts of one log: --set samples.host.text=NAME; for hosts: --set "
                  "'samples.host.file=%s'",
                  GS_SHOWN(m->source->host.text, 124));
    return fail_with(&b, err);
}

/* Several runs' events at once, against several hosts, with nothing that says whose they are. */
static enum gs_status agree_runs(const struct gs_mapped_source *m, const struct side *samples,
                                 struct gs_arena *scratch, struct gs_err *err)
{
    const struct gs_source *const s = m->source;
    struct gs_buf b = {.arena = scratch};
    if (s->role != GS_ROLE_EVENTS || s->host.kind != GS_VALUE_NONE ||
        s->job.kind != GS_VALUE_NONE || samples->host.n < 2)
        return GS_OK;
    for (size_t i = 0; i < s->path.n; i++)
        for (size_t k = i + 1; k < s->path.n; k++) {
            if (!overlap(&m->file[i], &m->file[k]))
                continue;
            gs_buf_format(&b,
                          "%s and %s overlap in time and name no host or job, but the samples have "
                          "%u hosts (",
                          GS_SHOWN(gs_file_called(s->files.item[i]), 124),
                          GS_SHOWN(gs_file_called(s->files.item[k]), 124), samples->host.n);
            put_hosts(&b, samples);
            gs_buf_text(&b, "); choose one run with --events and --samples, or --set events.host "
                            "or events.job");
            return fail_with(&b, err);
        }
    return GS_OK;
}

/*
 * Two sources that say different things of one metric of one host. Two tools that log the same
 * metric of the same host: their readings would be mixed in one series.
 */
static enum gs_status agree_metrics(const struct gs_mapped_source *list, size_t n,
                                    struct gs_arena *scratch, struct gs_err *err)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++) {
            const struct gs_mapped_source *const a = &list[i], *const c = &list[k];
            struct gs_str metric;
            if (a->source->role != GS_ROLE_SAMPLES || c->source->role != GS_ROLE_SAMPLES ||
                are_jobs(a->source, c->source) || !same_metric(a->source, c->source, &metric))
                continue;
            bool common = a->found.host.n == 0 && c->found.host.n == 0;
            for (uint32_t h = 0; h < a->found.host.n && !common; h++)
                common = gs_intern_find(&c->found.host, a->found.host.text[h]) != GS_INTERN_NONE;
            if (!common)
                continue;
            struct gs_buf b = {.arena = scratch};
            put_both(&b, a->source, c->source);
            const char *const shown = GS_SHOWN(metric, 84);
            gs_buf_format(&b,
                          " both hold %s of the same host, expected one; choose with --samples "
                          "FILE, or drop one with --set 'samples[FILE].metrics.%s='",
                          shown, shown);
            return fail_with(&b, err);
        }
    return GS_OK;
}

/*
 * The order is that of causes: a wrong zone also makes hosts and GPUs look different, so times
 * come first of the checks between samples and events.
 */
enum gs_status gs_map_agree(const struct gs_mapped_source *list, size_t n, bool zone_given,
                            struct gs_arena *scratch, struct gs_err *err)
{
    struct side samples, events;
    GS_TRY(sum_side(list, n, GS_ROLE_SAMPLES, scratch, &samples, err));
    GS_TRY(sum_side(list, n, GS_ROLE_EVENTS, scratch, &events, err));
    for (size_t i = 0; i < n; i++)
        GS_TRY(agree_runs(&list[i], &samples, scratch, err));
    for (size_t i = 0; i < n; i++)
        GS_TRY(agree_rotation(&list[i], scratch, err));
    GS_TRY(agree_metrics(list, n, scratch, err));
    if (samples.n_rows == 0 || events.n_rows == 0)
        return GS_OK;
    if (samples.any && events.any)
        GS_TRY(agree_times(&samples, &events, zone_given, scratch, err));
    GS_TRY(agree_hosts(&samples, &events, scratch, err));
    return agree_gpus(list, n, &samples, scratch, err);
}
