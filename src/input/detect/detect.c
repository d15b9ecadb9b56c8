/* detect.c - assigns roles to files and merges files of equal columns into one source. */
#include "input/detect/detect.h"

#include <string.h>
#include <math.h>

#include "base/num/order.h"
#include "base/os/path.h"
#include "input/bytes/text_in.h"
#include "input/detect/inputs.h"
#include "input/detect/names_parts.h"
#include "base/core/pattern.h"

enum { STEPS_COMPARED = 32 };

/* The first steps of a file's list. */
struct step_list {
    struct gs_str file; /* as the map shows it */
    size_t source;      /* files of one source are never the same list */
    size_t n_rows, n;
    int64_t step[STEPS_COMPARED];
    double length[STEPS_COMPARED];
};

struct step_lists {
    struct step_list *item;
    size_t n;
};

/* Keeps what a file's list of steps begins with, where its source (an index) is one; false without memory. */
static bool add_steps(struct step_lists *lists, const struct gs_map *map, size_t source,
                      const struct gs_preview *h, struct gs_str file, struct gs_arena *arena)
{
    const struct gs_source *const s = &map->source[source];
    const uint32_t step = gs_preview_plain_column(h, &s->task),
                   length = gs_preview_plain_column(h, &s->duration);
    if (s->role != GS_ROLE_EVENTS || step == UINT32_MAX || length == UINT32_MAX)
        return true;
    if (!GS_HAS_ROOM(arena, lists->item, lists->n))
        return false;
    struct step_list *const l = &lists->item[lists->n++];
    *l = (struct step_list){.file = file, .source = source, .n_rows = h->n_rows};
    for (size_t i = 0; i < h->n_rows && l->n < STEPS_COMPARED; i++) {
        const struct gs_str number = gs_preview_cell(h, i, step);
        const struct gs_str seconds = gs_preview_cell(h, i, length);
        if (number.ptr != NULL && seconds.ptr != NULL &&
            gs_fixed_parse(number, &l->step[l->n], NULL) == GS_NUMBER_OK &&
            gs_real_parse(seconds, &l->length[l->n]) == GS_NUMBER_OK)
            l->n++;
    }
    return true;
}

/* Seconds in one file may be milliseconds in the other, and rounded: each length is to be the same share of the first. */
static bool are_same(const struct step_list *a, const struct step_list *b)
{
    enum { FEWEST = 3 };
    static const double rounding = 0.005;
    bool same = a->source != b->source && a->n == b->n && a->n_rows == b->n_rows &&
                a->n >= FEWEST && a->length[0] > 0 && b->length[0] > 0;
    const double factor = same ? b->length[0] / a->length[0] : 1;
    const double thousands = log10(factor) / 3;
    same = same && fabs(thousands - round(thousands)) * 3 < rounding;
    for (size_t i = 0; same && i < a->n; i++)
        same = a->step[i] == b->step[i] &&
               fabs(a->length[i] * factor - b->length[i]) <= rounding * b->length[i];
    return same;
}

/* The source of events that has a file, and where in it; NULL: it was dropped. */
static struct gs_source *source_of(struct gs_map *map, struct gs_str file, size_t *at)
{
    for (size_t i = 0; i < map->n_sources; i++)
        for (size_t k = 0; map->source[i].role == GS_ROLE_EVENTS && k < map->source[i].files.n; k++)
            if (gs_str_eq(map->source[i].files.item[k], file)) {
                *at = k;
                return &map->source[i];
            }
    return NULL;
}

static void take_out(struct gs_texts *list, size_t at)
{
    for (list->n--; at < list->n; at++)
        list->item[at] = list->item[at + 1];
}

/* Takes a file out of its source, and the source out of the map where it was the last. */
static void drop(struct gs_map *map, struct gs_source *s, size_t at, const char *why,
                 bool same_steps, struct gs_arena *arena)
{
    gs_map_add_unused(
        map,
        (struct gs_unused_file){.path = s->files.item[at], .why = why, .same_steps = same_steps},
        arena);
    take_out(&s->files, at);
    take_out(&s->path, at);
    if (s->files.n > 0)
        return;
    for (struct gs_source *const end = &map->source[--map->n_sources]; s < end; s++)
        *s = s[1];
}

/*
 * Training scripts log each step twice, to a table and to JSON lines. Of two such files in sources of their own only one
 * stays, the one that has times: both would count every joule twice. The other is listed in map->unused, and said.
 */
static void drop_same_steps(const struct step_lists *lists, struct gs_map *map,
                            struct gs_arena *arena)
{
    for (size_t i = 0; i < lists->n; i++)
        for (size_t k = i + 1; k < lists->n; k++) {
            size_t at[2] = {0};
            if (!are_same(&lists->item[i], &lists->item[k]))
                continue;
            struct gs_source *const a = source_of(map, lists->item[i].file, &at[0]);
            struct gs_source *const b = source_of(map, lists->item[k].file, &at[1]);
            if (a == NULL || b == NULL)
                continue;
            const bool second = !gs_source_is_chain(a) || gs_source_is_chain(b);
            const struct gs_str kept = gs_file_called(lists->item[second ? i : k].file);
            const char *const why =
                gs_format(arena, "holds the same steps as %s: not used (--events FILE chooses)",
                          GS_SHOWN(kept, 124));
            drop(map, second ? b : a, at[second], gs_or_empty(why), true, arena);
        }
}

/* Does a file of samples tell, by its name or that of its power, that they are of a meter or a processor? */
static bool is_of_meter(struct gs_source *s, size_t at)
{
    const struct gs_map_field *const power = gs_infer_find(&s->metrics, "power_w");
    return s->role == GS_ROLE_SAMPLES && power != NULL && s->gpu.kind == GS_VALUE_NONE &&
           (gs_words_meter(gs_str(gs_path_last(s->path.item[at].ptr))) ||
            (power->value.column.n > 0 && gs_words_meter(power->value.column.item[0])));
}

/*
 * A meter at the wall, or a processor's power, beside the logs of GPUs is none of them: it would be a GPU more, and its power
 * counted twice. Where every log is of such, one was meant.
 */
static void drop_meters(struct gs_map *map, struct gs_arena *arena)
{
    size_t n = 0, n_meters = 0;
    for (size_t i = 0; i < map->n_sources; i++)
        for (size_t k = 0; k < map->source[i].files.n && map->source[i].role == GS_ROLE_SAMPLES;
             k++) {
            n++;
            n_meters += is_of_meter(&map->source[i], k);
        }
    for (size_t i = map->n_sources; n_meters < n && i-- > 0;)
        for (size_t k = map->source[i].files.n; map->source[i].detected && k-- > 0;) {
            const bool last = map->source[i].files.n == 1;
            if (!is_of_meter(&map->source[i], k))
                continue;
            drop(map, &map->source[i], k,
                 "is of a meter or a processor by its name, beside logs of GPUs (--samples FILE "
                 "reads it)",
                 false, arena);
            if (last)
                break;
        }
}

struct detector {
    struct gs_arena *arena;
    struct gs_arena
        file;   /* of the file that is looked at; the map's where it is the first of a source */
    bool keeps; /* ... which it is */
    struct gs_map *map;
    struct gs_err *err;
    uint64_t seed;
    unsigned told; /* see gs_candidates */
    const struct gs_source *hint;
    struct gs_str *print; /* [map->n_sources] each without its files: alike where equal */
    size_t n_prints;
    bool is_single; /* one file, whose sources are never alike */
    struct step_lists steps;
};

static enum gs_status note_unused(struct detector *r, const struct gs_candidate *c, const char *why)
{
    const struct gs_unused_file file = {
        .path = c->shown, .why = why, .reported = c->why != NULL, .replaced = c->roles == 0};
    gs_map_add_unused(r->map, file, r->arena);
    return gs_had_memory(!r->arena->failed, r->err);
}

/*
 * A source as text, without what differs from file to file. Delimited files are alike only with
 * the same columns in the same order, as one binding serves all of them.
 */
static bool print_of(const struct gs_source *s, const struct gs_preview *h, struct gs_arena *arena,
                     struct gs_str *print)
{
    struct gs_source one = *s;
    const struct gs_map alone = {.source = &one, .n_sources = 1};
    struct gs_buf b = {.arena = arena};
    one.files = (struct gs_texts){0};
    gs_map_print(&alone, &b);
    if (h->form->delimited)
        for (uint32_t i = 0; i < h->n_columns; i++) {
            gs_buf_char(&b, '\n');
            gs_buf_add(&b, h->column[i]);
        }
    *print = gs_buf_str(&b);
    return !b.failed;
}

/* Are two files called alike but for their digits, as parts of one list are: steps-rank0.csv and steps-rank12.csv? */
static bool are_parts(struct gs_str a, struct gs_str b)
{
    const struct gs_str x = gs_file_called(a), y = gs_file_called(b);
    size_t i = 0, k = 0;
    while (i < x.len || k < y.len) {
        if (i < x.len && gs_is_digit(x.ptr[i]))
            i++;
        else if (k < y.len && gs_is_digit(y.ptr[k]))
            k++;
        else if (i < x.len && k < y.len && x.ptr[i] == y.ptr[k])
            i++, k++;
        else
            return false;
    }
    return true;
}

/*
 * Lists of steps do not name what ran. Of train.csv and eval.csv that is the file's name: called "step", both would be
 * one event.
 */
static void name_by_file(struct gs_source *s, struct gs_str added)
{
    if (s->role == GS_ROLE_EVENTS && s->event.kind == GS_VALUE_TEXT && s->files.n > 0 &&
        !are_parts(s->files.item[0], added))
        s->event = (struct gs_map_value){.kind = GS_VALUE_FILE, .text = gs_str("{}.*")};
}

/*
 * Puts a file to the source that is alike, or to a new one. Files that are read alike become one
 * source, so a directory of 500 logs is one entry of the map.
 */
static enum gs_status add_source(struct detector *r, struct gs_source *s,
                                 const struct gs_preview *h, const struct gs_candidate *c)
{
    struct gs_str print = {NULL, 0};
    s->form = gs_str(h->form->name);
    if (h->form->delimited || h->table.columns_inferred) {
        s->columns = h->table.columns;
        s->columns_inferred = h->table.columns_inferred;
    }
    if (h->form->delimited) {
        s->separator = h->table.separator;
        s->skip = h->table.skip;
        s->header = h->table.header;
        s->cut_cells = h->table.cut_cells;
        for (size_t i = 0; i < h->table.notes.n; i++)
            GS_TRY(
                gs_had_memory(gs_texts_add(&s->notes, h->table.notes.item[i], &r->file), r->err));
    }
    if (!r->is_single && !print_of(s, h, &r->file, &print))
        return gs_fail_memory(r->err);
    size_t k = r->is_single ? r->map->n_sources : 0;
    while (k < r->n_prints && !gs_str_eq(r->print[k], print))
        k++;
    if (k == r->map->n_sources) {
        struct gs_source *const to = gs_map_add(r->map, r->arena);
        GS_TRY(gs_had_memory(to != NULL && GS_HAS_ROOM(r->arena, r->print, r->n_prints), r->err));
        if (!r->is_single)
            r->print[r->n_prints++] = print;
        *to = *s;
        to->missing_units = (struct gs_missing_units){0};
        to->detected = !c->named;
        r->keeps = true;
    }
    for (size_t i = 0; i < s->missing_units.n; i++)
        if (!gs_missing_units_add(&r->map->source[k].missing_units, s->missing_units.item[i],
                                  r->arena))
            return gs_fail_memory(r->err);
    name_by_file(&r->map->source[k], c->shown);
    return gs_had_memory(gs_texts_add(&r->map->source[k].files, c->shown, r->arena) &&
                             gs_texts_add(&r->map->source[k].path, c->path, r->arena) &&
                             add_steps(&r->steps, r->map, k, h, c->shown, r->arena),
                         r->err);
}

static const char *with_file(struct detector *r, const char *path, const char *why)
{
    const char *const named =
        gs_format(&r->file, "%s: %s", GS_SHOWN(gs_file_called(gs_str(path)), 516), why);
    const size_t n = named == NULL ? 0 : strlen(named) - strlen(why) - 1;
    if (named == NULL ||
        strncmp(why, named, n) == 0) /* what a form refuses names its file itself */
        return why;
    return named;
}

/* A bit of enum gs_role alone: its role, else GS_N_ROLES. */
static int only_role(unsigned roles)
{
    int k = 0;
    while (k < GS_N_ROLES && roles != 1u << k)
        k++;
    return k;
}

/* How to say what the columns are that were found. */
static const char *with_advice(struct detector *r, const char *why)
{
    const char *const all =
        gs_format(&r->file,
                  "%s; name them: --set samples.time=COLUMN --set samples.gpu=COLUMN --set "
                  "samples.metrics.power_w=COLUMN; for events: --set events.event=COLUMN --set "
                  "events.start=COLUMN --set events.stop=COLUMN",
                  why);
    return all == NULL ? why : all;
}

/*
 * A named file that fits nothing is a source all the same where it can be read: --set may say the
 * rest. A file that the user names is never passed over silently: it is a source, or an error.
 */
static enum gs_status store_named(struct detector *r, const struct gs_preview *h,
                                  const struct gs_candidate *c, struct gs_source part[GS_N_ROLES],
                                  const char *why)
{
    const int own = only_role(c->roles), k = own < GS_N_ROLES ? own : only_role(c->roles & r->told);
    const bool readable =
        h->form != NULL && h->why == NULL && (h->titled == NULL || (r->told & c->roles) != 0);
    if (readable && strncmp(why, gs_names_unknown, strlen(gs_names_unknown)) == 0)
        why = with_advice(r, why);
    if (readable && k < GS_N_ROLES) {
        GS_TRY(add_source(r, &part[k], h, c));
        return note_unused(r, c, why);
    }
    return gs_fail(r->err, GS_ERR_DATA, "%s", with_file(r, c->path.ptr, why));
}

static bool note_uuid(const struct gs_map_value *gpu)
{
    return gpu->kind == GS_VALUE_COLUMN && gs_column_meaning(gpu->column.item[0]) == GS_MEANS_UUID;
}

/*
 * Nsight Systems numbers devices as the process saw them, and may know their UUIDs: these where the report and the samples
 * beside it have them, else the numbers.
 */
static void settle_devices(struct gs_map *map, bool uuids)
{
    for (size_t i = 0; i < map->n_sources; i++) {
        const struct gs_source *const s = &map->source[i];
        uuids = uuids && (s->role != GS_ROLE_SAMPLES || note_uuid(&s->gpu));
    }
    for (size_t i = 0; !uuids && i < map->n_sources; i++) {
        struct gs_source *const s = &map->source[i];
        const struct gs_form *const form = gs_source_form(s);
        if (form->uuid != NULL && note_uuid(&s->gpu))
            s->gpu.column.item[0] = gs_str(form->device);
    }
}

static bool has_cells(const struct gs_preview *h, const char *name)
{
    const uint32_t column = gs_preview_find(h, name);
    for (size_t i = 0; column != UINT32_MAX && i < h->n_rows; i++)
        if (gs_preview_cell(h, i, column).ptr != NULL)
            return true;
    return false;
}

/*
 * Is a source on a clock of its own? Times near 1970 are seconds since a start: the source has
 * its own clock, and needs an origin before it can be joined with others.
 */
static void note_clock(const struct gs_preview *h, bool alone, struct gs_source *s)
{
    static const int64_t years_10_ns = INT64_C(315532800) * GS_NS_PER_S;
    int64_t t = GS_MISSING;
    const enum gs_time_fault first = gs_infer_first_time(h, s, &t);
    const bool near = t >= 0 && t < years_10_ns &&
                      (h->form->delimited || h->form->skips_lists || !gs_form_is_told(h->form));
    s->time_of_day = first == GS_TIME_OF_DAY;
    s->time_of_year = first == GS_TIME_OF_YEAR;
    s->own_clock =
        (first == GS_TIME_OUTSIDE && (alone || near)) || s->time_of_day || s->time_of_year;
}

/* Leaves the sources of some roles, bits of enum gs_role. */
static void drop_others(struct gs_map *m, unsigned roles)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_sources; i++)
        if ((roles >> m->source[i].role & 1) != 0)
            m->source[n++] = m->source[i];
    m->n_sources = n;
}

/* Why a file without rows that nobody named is no rival of those that have some; NULL: its form says. */
static const char *why_empty(const struct gs_form *form)
{
    if (form->is_trace)
        return "has no events";
    return form->delimited ? gs_names_no_rows : NULL;
}

/* What a file is as a table that is cut as `hint` says, in one of the roles. */
static enum gs_status detect_as(struct detector *r, const struct gs_candidate *c,
                                const struct gs_source *hint, struct gs_preview *h,
                                struct gs_map *own, struct gs_source part[GS_N_ROLES],
                                const char **why)
{
    *own = (struct gs_map){0};
    *why = NULL;
    GS_TRY(gs_preview_read(c->path.ptr, hint, c->alone, r->seed, &r->file, h, r->err));
    if (h->why == NULL && h->n_rows == 0 && !c->named)
        h->why = why_empty(h->form);
    if (h->why != NULL)
        return GS_OK;
    GS_TRY(gs_profiles_apply(h, own, &r->file, r->err));
    settle_devices(own, has_cells(h, "gpu_uuid"));
    GS_TRY(gs_cockpit_apply(h, c->path.ptr, own, &r->file, r->err));
    const bool played = own->n_sources > 0;
    drop_others(own, c->roles);
    if (own->n_sources == 0 && played && c->alone && (r->told & c->roles) == 0)
        *why = "its rows are of runs, from start to end, not readings of a moment; try: gpustat "
               "events FILE";
    else if (own->n_sources == 0)
        GS_TRY(gs_names_apply(h, c, own, part, &r->file, why, r->err));
    for (size_t i = 0; i < own->n_sources; i++)
        note_clock(h, c->alone, &own->source[i]);
    if (own->n_sources == 0 && *why != NULL)
        note_clock(h, c->alone, &part[GS_ROLE_SAMPLES]);
    return GS_OK;
}

/* Does --set say of a role how its tables are cut? */
static bool note_how(const struct gs_source *hint)
{
    return hint->form.ptr != NULL || hint->separator.ptr != NULL || hint->skip >= 0 ||
           hint->header >= 0 || hint->columns.n > 0;
}

/*
 * Marks in a log: do two rows begin and end the same? One word such as "started" in a log is
 * chance; a start and an end of the same name are not.
 */
static bool contains_a_mark(const struct gs_preview *h)
{
    const uint32_t event = gs_preview_find(h, "event"), phase = gs_preview_find(h, "phase");
    for (size_t i = 0; event != UINT32_MAX && phase != UINT32_MAX && i < h->n_rows; i++)
        for (size_t k = i + 1; k < h->n_rows; k++)
            if (gs_str_eq(gs_preview_cell(h, i, event), gs_preview_cell(h, k, event)) &&
                !gs_str_eq(gs_preview_cell(h, i, phase), gs_preview_cell(h, k, phase)))
                return true;
    return false;
}

/*
 * What a file is as a log with marks; own->n_sources == 0: it is none. Called only where no file
 * holds events: any log of lines can be read as marks.
 */
static enum gs_status detect_marks(struct detector *r, const struct gs_candidate *c,
                                   struct gs_preview *h, struct gs_map *own)
{
    static const struct gs_source marks = {.form = {"marks", 5}, .skip = -1, .header = -1};
    struct gs_candidate tried = *c;
    struct gs_source part[GS_N_ROLES];
    const char *why;
    *own = (struct gs_map){0};
    tried.roles &= 1u << GS_ROLE_EVENTS;
    if (tried.roles == 0 || c->alone || note_how(&r->hint[GS_ROLE_EVENTS]))
        return GS_OK;
    const enum gs_status s = detect_as(r, &tried, &marks, h, own, part, &why);
    if (s != GS_OK || own->n_sources == 0 || !contains_a_mark(h))
        own->n_sources = 0;
    return s;
}

/* Have half of the records a metric, and more than one? "temp = 27" in a simulator's log is chance. */
static bool measures(const struct gs_preview *h, const struct gs_map_fields *metrics)
{
    size_t n = 0;
    for (size_t i = 0; i < h->n_rows; i++)
        n += gs_infer_row_measures(h, i, metrics);
    return n > 1 && n * 2 >= h->n_rows;
}

/* Is a file a table with names above its columns? Words with their numbers, "step: 1" or "loss 2.5", are none. */
static bool is_headed(const struct gs_preview *h)
{
    if (h->why != NULL)
        return false;
    for (uint32_t c = 0; c < h->n_columns; c++)
        for (size_t i = 1; i < h->column[c].len; i++)
            if (strchr(" :=", h->column[c].ptr[i - 1]) != NULL &&
                (gs_is_digit(h->column[c].ptr[i]) || h->column[c].ptr[i - 1] != ' '))
                return false;
    return true;
}

/*
 * What a named file that is nothing else is as lines of labels and readings, of a GPU or of the steps of a training;
 * own->n_sources == 0: it is none. Only where it is named: beside a log, a line of a training's output may well call
 * something "memory".
 */
static enum gs_status detect_labelled(struct detector *r, const struct gs_candidate *c,
                                      const struct gs_preview *as_table, struct gs_preview *h,
                                      struct gs_map *own)
{
    static const struct gs_source labelled = {.form = {"labelled", 8}, .skip = -1, .header = -1};
    struct gs_candidate tried = *c;
    struct gs_source part[GS_N_ROLES];
    const char *why;
    *own = (struct gs_map){0};
    if (is_headed(as_table))
        tried.roles &= 1u << GS_ROLE_SAMPLES;
    tried.roles &= 1u << GS_ROLE_SAMPLES | 1u << GS_ROLE_EVENTS;
    if (tried.roles == 0 || note_how(&r->hint[GS_ROLE_SAMPLES]))
        return GS_OK;
    const enum gs_status s = detect_as(r, &tried, &labelled, h, own, part, &why);
    if (s != GS_OK || own->n_sources == 0 ||
        (own->source[0].role == GS_ROLE_SAMPLES && !measures(h, &own->source[0].metrics)))
        own->n_sources = 0;
    if (s == GS_OK && own->n_sources > 0 && own->source[0].role == GS_ROLE_EVENTS) {
        /* Lines of START and STOP with the number of a step are no steps. */
        struct gs_preview marks;
        struct gs_map of_marks;
        GS_TRY(detect_marks(r, c, &marks, &of_marks));
        if (of_marks.n_sources > 0 && marks.n_rows >= h->n_rows)
            own->n_sources = 0;
    }
    if (s == GS_OK && own->n_sources == 0 && why == gs_steps_without_times)
        h->why = why;
    return s;
}

/* As it is, then as --set says that tables of one of its roles are cut, which *c is left with. */
static enum gs_status detect_as_told(struct detector *r, struct gs_candidate *c,
                                     struct gs_preview *h, struct gs_map *own,
                                     struct gs_source part[GS_N_ROLES], const char **why)
{
    static const struct gs_source as_it_is = {.skip = -1, .header = -1};
    const unsigned roles = c->roles;
    const int only = only_role(roles);
    if (only < GS_N_ROLES)
        return detect_as(r, c, &r->hint[only], h, own, part, why);
    GS_TRY(detect_as(r, c, &as_it_is, h, own, part, why));
    for (int k = 0; own->n_sources == 0 && k < GS_N_ROLES; k++)
        if ((roles >> k & 1) != 0 && note_how(&r->hint[k])) {
            c->roles = 1u << k;
            GS_TRY(detect_as(r, c, &r->hint[k], h, own, part, why));
        }
    return GS_OK;
}

/* Adds what a named file that is no table is as a log: steps and what its lines start and finish, marks alone, or readings. */
static enum gs_status add_named_log(struct detector *r, const struct gs_candidate *c,
                                    struct gs_preview *as_table, bool *is)
{
    struct gs_preview log = {.why = NULL};
    struct gs_map own;
    GS_TRY(detect_labelled(r, c, as_table, &log, &own));
    if (log.why == gs_steps_without_times)
        as_table->why = log.why;
    *is = own.n_sources > 0 && own.source[0].role == GS_ROLE_EVENTS;
    if (*is)
        GS_TRY(add_source(r, &own.source[0], &log, c));
    GS_TRY(detect_marks(r, c, &log, &own));
    if (own.n_sources == 0 && !*is)
        GS_TRY(detect_labelled(r, c, as_table, &log, &own));
    *is |= own.n_sources > 0;
    return own.n_sources > 0 ? add_source(r, &own.source[0], &log, c) : GS_OK;
}

/* Is what was looked at JSON to its end? Its lines say nothing by themselves, however they are broken. */
static bool is_json(const struct gs_preview *h)
{
    return h->form != NULL && h->form->container == GS_CONTAINER_JSON && !h->is_broken;
}

static enum gs_status inspect_at(struct detector *r, const struct gs_candidate *c)
{
    struct gs_candidate tried = *c;
    struct gs_preview h;
    struct gs_map own;
    struct gs_source part[GS_N_ROLES];
    const char *why;
    gs_sources_init(part); /* detection may end before it describes one */
    /* what is called as the study's is as good as named */
    tried.only = r->is_single || gs_study_role(c->shown.ptr) != GS_N_ROLES;
    if (c->why != NULL)
        return note_unused(r, c, c->why);
    if (c->roles == 0)
        return note_unused(r, c, "other files play its part");
    GS_TRY(detect_as_told(r, &tried, &h, &own, part, &why));
    bool is_log = false;
    if (own.n_sources == 0 && c->named && !is_json(&h))
        GS_TRY(add_named_log(r, c, &h, &is_log));
    if (is_log)
        return GS_OK;
    if (own.n_sources == 0) {
        if (h.titled != NULL)
            why = h.titled;
        if (h.why != NULL)
            why = h.why;
        if (!c->named)
            return note_unused(r, c, why);
        return store_named(r, &h, &tried, part, why);
    }
    for (size_t i = 0; i < own.n_sources; i++)
        GS_TRY(add_source(r, &own.source[i], &h, c));
    return GS_OK;
}

/* Does a file begin with a word for a step? Spares folders of other logs two more looks at each. */
static enum gs_status mentions_steps(const char *path, bool *may, struct gs_err *err)
{
    static const char *const words[] = {"step", "Step", "iter", "Iter", "epoch", "Epoch", "batch"};
    enum { HEAD = 256 << 10 };
    GS_OWN struct gs_arena own = {0};
    GS_CLOSES_TEXT struct gs_text_in in = {0};
    struct gs_err fault = {GS_OK, ""};
    struct gs_str text = {NULL, 0};
    enum gs_status s = gs_text_open(&in, path, HEAD, &own, &fault);
    GS_THEN(s, gs_text_peek(&in, &text, &fault));
    *may = false;
    for (size_t i = 0; s == GS_OK && !*may && i < sizeof words / sizeof *words; i++)
        *may = gs_str_holds(text, words[i]);
    return gs_fail_of_system(err, s, &fault);
}

/*
 * What a file that is no table is as lines of a training's steps; own->n_sources == 0: it is none. Called only where no
 * file holds events: a trainer's log beside them tells of the same steps.
 */
static enum gs_status detect_steps(struct detector *r, const struct gs_candidate *c,
                                   struct gs_preview *h, struct gs_map *own)
{
    struct gs_candidate tried = *c;
    struct gs_source part[GS_N_ROLES];
    struct gs_map as_table;
    const char *why;
    bool may;
    *own = (struct gs_map){0};
    *h = (struct gs_preview){.why = NULL};
    GS_TRY(mentions_steps(c->path.ptr, &may, r->err));
    if (!may)
        return GS_OK;
    tried.roles &= 1u << GS_ROLE_EVENTS;
    GS_TRY(detect_as_told(r, &tried, h, &as_table, part, &why));
    GS_TRY(detect_labelled(r, &tried, h, h, own));
    if (own->n_sources > 0 && own->source[0].role != GS_ROLE_EVENTS)
        own->n_sources = 0;
    return GS_OK;
}

typedef enum gs_status (*detect_fn)(struct detector *r, const struct gs_candidate *c,
                                    struct gs_preview *h, struct gs_map *own);

/* Adds what a file is, which was detected before. */
static enum gs_status add_log(struct detector *r, const struct gs_candidate *c, detect_fn detect)
{
    struct gs_preview h;
    struct gs_map own;
    r->keeps = false;
    enum gs_status s = detect(r, c, &h, &own);
    if (s == GS_OK && own.n_sources > 0)
        s = add_source(r, &own.source[0], &h, c);
    if (r->keeps)
        gs_arena_adopt(r->arena, &r->file);
    gs_arena_rewind(&r->file, (struct gs_arena_mark){0});
    return s;
}

/* Takes out the sources from one on, which has one print each, unless they are one: then true. */
static bool keep_alike(struct detector *r, size_t n_sources)
{
    if (r->map->n_sources == n_sources + 1)
        return true;
    r->n_prints -= gs_min(r->n_prints, r->map->n_sources - n_sources);
    r->map->n_sources = n_sources;
    return false;
}

/*
 * The files that nothing else is known of and that a function takes for logs of events become a source, unless they are more
 * than `most`, or not alike: then somebody is to choose.
 */
static enum gs_status find_logs(struct detector *r, const struct gs_candidates *list,
                                detect_fn detect, size_t most, bool *found)
{
    enum gs_status s = GS_OK;
    struct gs_preview h;
    struct gs_map own;
    GS_NEW(size_t, fits, r->map->n_unused, r->arena, r->err);
    const size_t n_sources = r->map->n_sources;
    size_t n = 0, at = 0;
    for (size_t i = 0; s == GS_OK && i < r->map->n_unused; i++) {
        while (at < list->n &&
               !gs_str_eq(list->item[at].shown, r->map->unused[i].path)) /* both are in one order */
            at++;
        if (at == list->n || list->item[at].why != NULL || list->item[at].named)
            continue;
        s = detect(r, &list->item[at], &h, &own);
        gs_arena_rewind(&r->file, (struct gs_arena_mark){0});
        if (s == GS_OK && own.n_sources > 0) {
            fits[n++] = at;
            r->map->unused[i].why = "holds events, as another file does: --events FILE chooses";
        } else if (s == GS_OK && h.why == gs_steps_without_times) {
            r->map->unused[i].why = h.why;
        }
    }
    *found = n > 0;
    for (size_t i = 0; s == GS_OK && n <= most && i < n; i++)
        s = add_log(r, &list->item[fits[i]], detect);
    const bool alike = keep_alike(r, n_sources);
    for (size_t i = 0; s == GS_OK && alike && detect != detect_marks && i < n; i++)
        s = add_log(r, &list->item[fits[i]], detect_marks);
    (void)keep_alike(r, n_sources + alike);
    gs_map_drop_used(r->map, n_sources);
    return s;
}

/* Where no file holds events, logs of steps do, or the one log of them all that has marks. */
static enum gs_status find_events(struct detector *r, const struct gs_candidates *list)
{
    bool found = false;
    for (size_t i = 0; !found && i < r->map->n_sources; i++)
        found = r->map->source[i].role == GS_ROLE_EVENTS;
    for (size_t i = 0; !found && i < list->n; i++)
        found = list->item[i].named && (list->item[i].roles & 1u << GS_ROLE_EVENTS) != 0;
    if (!found)
        GS_TRY(find_logs(r, list, detect_steps, SIZE_MAX, &found));
    return found ? GS_OK : find_logs(r, list, detect_marks, 1, &found);
}

/* The parts of a path between slashes, from the end: part 0 is the file's name without its compression's ending. */
static struct gs_str part_of(struct gs_str path, size_t from_end)
{
    struct gs_str part = GS_NO_STR;
    path = gs_path_unpacked(path);
    for (size_t i = 0; i <= from_end; i++)
        part = gs_path_take_last(&path);
    return part;
}

/* The one part of all paths, counted from their ends, that differs; false where there is none, or several. */
static bool find_part(const struct gs_texts *path, size_t *at)
{
    bool found = false, ended = false;
    for (size_t k = 0; k < 16 && !ended; k++) {
        const struct gs_str first = part_of(path->item[0], k);
        bool differs = false;
        ended = first.ptr == NULL;
        for (size_t i = 1; i < path->n; i++) {
            const struct gs_str other = part_of(path->item[i], k);
            differs |= !gs_str_eq(first, other);
            ended |= other.ptr == NULL;
        }
        if (differs && (found || ended))
            return false;
        if (differs)
            *at = k;
        found |= differs;
    }
    return found;
}

/* How many bytes that part begins and ends with in all paths. */
static void find_ends(const struct gs_texts *path, size_t at, size_t *head, size_t *tail)
{
    const struct gs_str first = part_of(path->item[0], at);
    *head = *tail = first.len;
    for (size_t i = 1; i < path->n; i++)
        gs_infer_share(first, part_of(path->item[i], at), head, tail);
}

/* Of a word; a folder's dashes are its host's. */
static bool is_of_word(char c, bool folder)
{
    return gs_is_alnum(c) || (folder && c == '-');
}

/* Whole words alone: node_1 and node_12 differ in node_1 and node_12, not in "1" and "12". */
static void cut_words(struct gs_str first, bool folder, size_t *head, size_t *tail)
{
    size_t h = *head;
    while (h > 0 && is_of_word(first.ptr[h - 1], folder))
        h--;
    if (!folder && h > 1 && first.ptr[h - 1] == '_' &&
        gs_str_skip_back(first, h - 1, GS_ALL_LETTERS GS_ALL_DIGITS) == 0)
        h = 0; /* node_1: the stem is the name */
    *head = h;
    while (*tail > 0 && is_of_word(first.ptr[first.len - *tail], folder))
        --*tail;
}

/*
 * The pattern whose {} is what differs between the paths: in the one component in which they differ, what stands between the
 * beginning and the end that all have in common. False where they differ in several components, or in none.
 */
static bool differing_part(const struct gs_texts *path, struct gs_arena *arena,
                           struct gs_str *pattern)
{
    size_t at = 0, head, tail;
    if (!find_part(path, &at))
        return false;
    const struct gs_str first = part_of(path->item[0], at);
    find_ends(path, at, &head, &tail);
    cut_words(first, at > 0, &head, &tail);
    struct gs_buf b = {.arena = arena};
    gs_pattern_put(&b, (struct gs_str){first.ptr, head});
    gs_buf_text(&b, "{}");
    gs_pattern_put(&b, (struct gs_str){first.ptr + first.len - tail, tail});
    for (size_t k = at; k > 0; k--) {
        gs_buf_char(&b, '/');
        gs_pattern_put(&b, part_of(path->item[0], k - 1));
    }
    *pattern = gs_buf_str(&b);
    return !b.failed;
}

/* The word of a file's name that numbers a GPU, "gpu1" of gpu1_power.csv; ptr == NULL: none does. */
static struct gs_str gpu_word(struct gs_str path)
{
    const struct gs_str name = part_of(path, 0);
    for (size_t from = 0, to; from < name.len; from = to + 1) {
        to = gs_str_skip(name, from, GS_ALL_LETTERS GS_ALL_DIGITS);
        if (gs_is_numbered_gpu(gs_str_part(name, from, to)))
            return gs_str_part(name, from, to);
    }
    return GS_NO_STR;
}

static size_t n_letters(struct gs_str word)
{
    return gs_str_until(word, 0, GS_ALL_DIGITS);
}

/*
 * Is what differs the word that numbers a GPU, gpu0_power.csv and gpu1_power.csv? Then *pattern is left with {} for the number
 * alone. node1_gpu0.csv and node2_gpu0.csv are of two hosts.
 */
static bool differ_in_gpu(const struct gs_texts *path, struct gs_arena *arena,
                          struct gs_str *pattern)
{
    const struct gs_str first = gpu_word(path->item[0]);
    const size_t at = gs_str_find(*pattern, "{}"), letters = n_letters(first);
    struct gs_buf b = {.arena = arena};
    for (size_t i = 0; i < path->n; i++) {
        const struct gs_str name = part_of(path->item[i], 0), word = gpu_word(path->item[i]);
        if (word.ptr == NULL || word.ptr != name.ptr + at ||
            name.len - word.len != pattern->len - strlen("{}") || n_letters(word) != letters ||
            memcmp(word.ptr, first.ptr, letters) != 0)
            return false;
    }
    gs_buf_bytes(&b, pattern->ptr, at);
    gs_pattern_put(&b, (struct gs_str){first.ptr, letters});
    gs_buf_bytes(&b, pattern->ptr + at, pattern->len - at);
    *pattern = gs_buf_str(&b);
    return !b.failed;
}

/* The word that numbers the GPU of a source of one file that says nothing else of whose samples it has; ptr == NULL: none. */
static struct gs_str word_of_one(const struct gs_source *s)
{
    const bool open = s->role == GS_ROLE_SAMPLES && s->host.kind == GS_VALUE_NONE &&
                      s->gpu.kind == GS_VALUE_NONE && s->path.n == 1;
    return open ? gpu_word(s->path.item[0]) : GS_NO_STR;
}

/* Hosts or GPUs of samples that no column names: the part in which the paths of their files differ. */
static void name_devices(struct detector *r)
{
    size_t n_numbered = 0;
    for (size_t i = 0; i < r->map->n_sources; i++) {
        struct gs_source *const s = &r->map->source[i];
        struct gs_str pattern;
        n_numbered += word_of_one(s).ptr != NULL;
        if (s->role != GS_ROLE_SAMPLES || s->host.kind != GS_VALUE_NONE || s->path.n < 2 ||
            !differing_part(&s->path, r->arena, &pattern))
            continue;
        if (s->gpu.kind == GS_VALUE_NONE && differ_in_gpu(&s->path, r->arena, &pattern)) {
            s->gpu = (struct gs_map_value){.kind = GS_VALUE_FILE, .text = pattern};
            continue;
        }
        s->host = (struct gs_map_value){.kind = GS_VALUE_FILE, .text = pattern};
        s->host_inferred = true;
    }
    for (size_t i = 0; n_numbered > 1 && i < r->map->n_sources; i++) { /* of several forms */
        struct gs_source *const s = &r->map->source[i];
        const struct gs_str word = word_of_one(s);
        if (word.ptr != NULL)
            s->gpu = (struct gs_map_value){.kind = GS_VALUE_TEXT,
                                           .text = gs_str_after(word, n_letters(word))};
    }
}

enum gs_status gs_map_detect(const struct gs_candidates *list, const struct gs_source *hint,
                             uint64_t seed, struct gs_arena *arena, struct gs_map *map,
                             struct gs_err *err)
{
    struct detector r = {.arena = arena,
                         .map = map,
                         .err = err,
                         .seed = seed,
                         .hint = hint,
                         .told = list->told,
                         .is_single = list->n == 1};
    enum gs_status s = GS_OK;
    for (size_t i = 0; s == GS_OK && i < list->n; i++) {
        r.keeps = false;
        s = inspect_at(&r, &list->item[i]);
        if (r.keeps)
            gs_arena_adopt(arena, &r.file);
        gs_arena_rewind(&r.file, (struct gs_arena_mark){0});
    }
    GS_THEN(s, find_events(&r, list));
    gs_arena_release(&r.file);
    if (s == GS_OK) {
        drop_same_steps(&r.steps, map, arena);
        drop_meters(map, arena);
        s = gs_had_memory(!arena->failed, err);
    }
    settle_devices(map, true);
    gs_cockpit_settle(map);
    if (s == GS_OK)
        name_devices(&r);
    return s;
}
