/* dataset_opts.c - from options to a loaded run. */
#include "app/options/dataset_opts.h"

#include "app/options/kept_data.h"
#include "app/options/time_range.h"

#include <string.h>

#include "base/core/suggest.h"
#include "base/os/output.h"
#include "base/os/path.h"
#include "input/detect/run_map.h"
#include "input/import/run_load.h"
#include "data/tables/sanity.h"
#include "analysis/sensor/sensor_cards.h"
#include "analysis/aggregate/task_event.h"
#include "analysis/timeline/counts.h"

const char *const gs_duplicates_words[] = {"keep", "drop", NULL};
const char *const gs_join_words[] = {"nearest", "backward", "forward", "window", NULL};
const char *const gs_ties_words[] = {"earlier", "later", NULL};

static void append_quoted(struct gs_buf *b, struct gs_str text)
{
    gs_buf_char(b, '"');
    gs_buf_doubled(b, text, '"');
    gs_buf_char(b, '"');
}

/*
 * file,line,reason,row: the row as it was, as one quoted field. The row is kept byte by byte
 * within quotes, so that it can be mended and read again.
 */
static enum gs_status reject(void *context, const struct gs_reject *row, struct gs_err *err)
{
    struct gs_rejects_file *const r = context;
    GS_REWINDS(&r->scratch);
    struct gs_buf b = {.arena = &r->scratch};
    append_quoted(&b, gs_str(row->name));
    gs_buf_format(&b, ",%llu,", (unsigned long long)row->line);
    append_quoted(&b, gs_str(row->reason));
    gs_buf_char(&b, ',');
    append_quoted(&b, row->raw);
    gs_buf_char(&b, '\n');
    GS_TRY(gs_had_memory(!b.failed, err));
    return gs_output_write(&r->file, b.ptr, b.len, err);
}

enum gs_status gs_rejects_open(struct gs_rejects_file *r, const char *path,
                               struct gs_load_options *load, struct gs_err *err)
{
    static const char header[] = "file,line,reason,row\n";
    *r = (struct gs_rejects_file){.path = path};
    if (path == NULL)
        return GS_OK;
    load->reject = reject;
    load->reject_context = r;
    GS_TRY(gs_output_open(&r->file, path, err));
    return gs_output_write(&r->file, header, sizeof header - 1, err);
}

/* A run that fails leaves no file of rejects: half of one would look like the whole. */
enum gs_status gs_rejects_close(struct gs_rejects_file *r, enum gs_status s, struct gs_err *err)
{
    if (s == GS_OK && r->path != NULL)
        s = gs_output_commit(&r->file, err);
    if (r->path != NULL)
        gs_output_abandon(&r->file);
    gs_arena_release(&r->scratch);
    return s;
}

bool gs_gives(const struct gs_context *context, const char *option)
{
    bool gives = false;
    for (size_t i = 0; i < context->typed.n; i++)
        gives |= strcmp(context->typed.item[i], option) == 0;
    return gives;
}

static bool has_part(struct gs_str text, struct gs_str part)
{
    for (size_t i = 0; i + part.len <= text.len; i++)
        if (gs_str_eq_nocase((struct gs_str){text.ptr + i, part.len}, part))
            return true;
    return false;
}

/* Is a card of the model and form of a name? Its words with digits are in the card's, and its form factor is. */
static bool may_be(const char *card, const char *name)
{
    static const char *const forms[] = {"SXM", "PCI", "NVL", "OAM", "MXM"};
    static const char alphanumeric[] =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        if (has_part(gs_str(name), gs_str(forms[k])) && !has_part(gs_str(card), gs_str(forms[k])))
            return false;
    for (const char *at = name; *at != '\0';) {
        const struct gs_str word = {at, strspn(at, alphanumeric)};
        if (strcspn(at, "0123456789") < word.len && !has_part(gs_str(card), word))
            return false;
        at += gs_max(word.len, 1);
    }
    return true;
}

/* Names the nearest card, or lists all for "?", so that the exact name can be copied. */
static enum gs_status unknown_card(const char *name, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_suggestion near = {.word = gs_str(name)};
    struct gs_buf known = {.arena = &own};
    for (size_t i = 0; i < gs_n_sensor_cards; i++) {
        const char *const card = gs_sensor_cards[i].name;
        if (i > 0 && strcmp(card, gs_sensor_cards[i - 1].name) == 0)
            continue;
        if (may_be(card, name))
            gs_suggestion_try(&near, card);
        if (near.best == NULL && strstr(card, name) != NULL)
            near.best = card;
        gs_buf_format(&known, "%s%s", known.len > 0 ? ", " : "", card);
    }
    GS_TRY(gs_had_memory(!known.failed, err));
    if (strcmp(name, "?") == 0)
        return gs_fail(err, GS_ERR_USAGE, "--card: the measured cards are %s", known.ptr);
    if (near.best != NULL)
        return gs_fail(err, GS_ERR_USAGE,
                       "--card: '%s' is not among the measured cards; did you mean '%s'?",
                       GS_SHOWN(near.word, 80), near.best);
    return gs_fail(err, GS_ERR_USAGE,
                   "--card: '%s' is not among the measured cards; --card '?' lists them",
                   GS_SHOWN(near.word, 80));
}

enum gs_status gs_sensor_opts_get(const struct gs_sensor_opts *o, struct gs_arena *arena,
                                  const struct gs_sensor_spec **spec, struct gs_err *err)
{
    struct gs_sensor_spec *said = NULL;
    if (o->sensor != NULL)
        said = gs_arena_take(arena, 1, sizeof *said);
    if (o->card != NULL && !gs_sensor_card_known(gs_str(o->card)))
        return unknown_card(o->card, err);
    if (o->sensor != NULL && said == NULL)
        return gs_fail_memory(err);
    if (said != NULL)
        GS_TRY(gs_sensor_parse(gs_str(o->sensor), said, err));
    *spec = said;
    return GS_OK;
}

void gs_dataset_opts_request(const struct gs_dataset_opts *o, const struct gs_context *context,
                             struct gs_notes *notes, struct gs_map_request *request)
{
    *request = (struct gs_map_request){.operand = o->dir.item,
                                       .n_operands = o->dir.n,
                                       .path = {o->gpu.item, o->checkpoints.item, o->tasks.item},
                                       .n_paths = {o->gpu.n, o->checkpoints.n, o->tasks.n},
                                       .map_file = o->map,
                                       .set = o->set.item,
                                       .n_sets = o->set.n,
                                       .columns = o->columns,
                                       .power_column = o->power_column,
                                       .seed = context->seed,
                                       .claims = context->claims,
                                       .notes = notes};
    if (o->start != NULL) { /* one more --set, ahead of those that were given */
        const char **const set = gs_arena_take(context->arena, o->set.n + 1, sizeof *set);
        if (set == NULL ||
            (set[0] = gs_format(context->arena, "events.origin=%s", o->start)) == NULL)
            return; /* the next allocation fails as well, and says so */
        for (size_t i = 0; i < o->set.n; i++)
            set[i + 1] = o->set.item[i];
        request->set = set;
        request->n_sets = o->set.n + 1;
    }
}

/* What a command could use and no file holds. */
static void note_absent(const bool need[GS_N_TABLES], const struct gs_dataset *d,
                        struct gs_notes *notes)
{
    static const struct {
        enum gs_table_kind kind;
        /* a log alone is a kind of run; without samples there is no energy */
        enum gs_note_kind note;
        const char *what, *without, *option;
    } roles[] = {
        {GS_TABLE_CHECKPOINTS, GS_NOTE_INFO, "events", "durations and what events drew",
         "--events"},
        {GS_TABLE_SAMPLES, GS_NOTE_WARNING, "samples", "power, temperature, utilisation and energy",
         "--samples"},
    };
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++) {
        bool any = !need[roles[r].kind];
        for (size_t i = 0; i < d->n_inputs; i++)
            any |= d->input[i].kind == roles[r].kind;
        for (uint32_t g = 0; g < d->n_gpus && roles[r].kind == GS_TABLE_CHECKPOINTS; g++)
            any |= d->gpu[g].job.ptr != NULL; /* samples that name their jobs need no list */
        if (!any)
            gs_note(notes, roles[r].note, "no file holds %s: %s are missing (%s names one)",
                    roles[r].what, roles[r].without, roles[r].option);
    }
}

/* Reads the files into tables that live in `arena`. */
static enum gs_status read_tables(const struct gs_kept_question *q,
                                  const struct gs_context *context, struct gs_arena *arena,
                                  struct gs_dataset *dataset, struct gs_notes *notes,
                                  struct gs_err *err)
{
    const struct gs_dataset_opts *const o = q->options;
    struct gs_context own = *context;
    own.arena = arena;
    struct gs_rejects_file rejects;
    struct gs_load_options load = {.places = q->places,
                                   .zone_told = q->gives_zone,
                                   .digest = o->digest,
                                   .claims = context->claims,
                                   .zone = o->zone,
                                   .duplicates = (enum gs_duplicates)o->duplicates,
                                   .shard = o->shard,
                                   .n_shards = o->n_shards,
                                   .first_input = o->first_input,
                                   .own_tasks = o->own_tasks,
                                   .pass_plan = o->pass_plan,
                                   .n_threads = context->n_threads,
                                   .seed = context->seed};
    for (int k = 0; k < GS_N_TABLES; k++) {
        load.need[k] = q->need[k];
        load.optional[k] = q->optional[k];
    }
    if (q->ends)
        gs_time_range_want_ends(load.need, load.optional);
    struct gs_map_request request;
    gs_dataset_opts_request(o, &own, notes, &request);
    enum gs_status s = gs_rejects_open(&rejects, o->rejects, &load, err);
    GS_THEN(s, gs_run_load(&request, &load, q->gives_zone, arena, dataset, notes, err));
    if (s == GS_OK)
        note_absent(q->need, dataset, notes);
    if (s == GS_OK && !dataset->is_part && dataset->checkpoints_name_gpu &&
        dataset->table[GS_TABLE_SAMPLES].n_columns > 0)
        s = gs_gpu_names_check(dataset, err);
    return gs_rejects_close(&rejects, s, err);
}

/*
 * The tables that were kept, or those that are from now on. Loaded into an arena of its own,
 * which joins the store only on success: a failed load leaves nothing behind in a long-lived
 * process.
 */
static enum gs_status keep_tables(const struct gs_kept_question *q,
                                  const struct gs_context *context, struct gs_dataset *dataset,
                                  struct gs_notes *notes, struct gs_err *err)
{
    const struct gs_dataset *const found = gs_kept_data_find(context->kept, q, notes);
    if (found != NULL) {
        *dataset = *found;
        dataset->arena = context->arena;
        return GS_OK;
    }
    GS_OWN struct gs_arena own = {0};
    struct gs_notes said = {.arena = &own};
    struct gs_dataset_opts copy;
    struct gs_kept_question lasting = *q;
    lasting.options = &copy;
    enum gs_status s = gs_kept_data_options(q->options, &own, &copy, err);
    GS_THEN(s, read_tables(&lasting, context, &own, dataset, &said, err));
    gs_notes_add(notes, &said);
    said.arena = NULL; /* nothing is added to them any more */
    GS_THEN(s, gs_kept_data_add(context->kept, &lasting, dataset, &said, &own, err));
    /* What an analysis adds is its own: the tables' arena has moved, and serves the next one too. */
    dataset->arena = context->arena;
    return s;
}

/*
 * What is set after loading is no part of the tables, so one load serves commands with
 * different sensors and gaps.
 */
enum gs_status gs_dataset_opts_load(const struct gs_dataset_opts *o,
                                    const struct gs_context *context,
                                    struct gs_wanted_tables wanted, struct gs_dataset *dataset,
                                    struct gs_frames *out, struct gs_err *err)
{
    static const bool none[GS_N_TABLES];
    const struct gs_kept_question question = {o,
                                              wanted.need,
                                              wanted.optional != NULL ? wanted.optional : none,
                                              wanted.places,
                                              gs_gives(context, "tz"),
                                              gs_time_range_needs_ends(o)};
    const struct gs_sensor_spec *sensor = NULL;
    enum gs_status s = gs_sensor_opts_get(&o->sensor, context->arena, &sensor, err);
    GS_THEN(s, gs_time_range_check(o, err));
    if (s == GS_OK && context->kept != NULL && gs_kept_data_may(&question))
        s = keep_tables(&question, context, dataset, &out->notes, err);
    else if (s == GS_OK)
        s = read_tables(&question, context, context->arena, dataset, &out->notes, err);
    if (s != GS_OK)
        return s;
    dataset->sensor = sensor;
    dataset->card = gs_str(o->sensor.card);
    dataset->max_gap_ns = o->max_gap_ns;
    dataset->power_told = o->power_column != NULL;
    GS_TRY(gs_time_range_set(o, context->arena, dataset, &out->notes, err));
    if (question.ends)
        gs_time_range_drop_ends(wanted.need, dataset);
    return o->counts_once ? GS_OK : gs_sanity_shared(dataset, &out->notes, err);
}

enum gs_status gs_task_event_opt(const char *given, const char *usual,
                                 const struct gs_context *context, const struct gs_dataset *d,
                                 const char **event, struct gs_notes *notes, struct gs_err *err)
{
    *event = given;
    if (given != usual)
        return GS_OK;
    return gs_task_event(d, usual, context->n_threads, event, notes, err);
}

/* Is there something to join in the study's own columns? What is wrong with the run is for its loading to say. */
static enum gs_status is_study(const struct gs_dataset_opts *o, const struct gs_context *context,
                               bool *study, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_notes notes = {.arena = &own};
    struct gs_map_request request;
    struct gs_map map = {0};
    struct gs_err fault = {GS_OK, ""};
    const struct gs_load_options load = {.seed = context->seed};
    gs_dataset_opts_request(o, context, &notes, &request);
    const enum gs_status s = gs_run_map(&request, &load, &own, &map, &fault);
    bool samples = false;
    for (size_t i = 0; s == GS_OK && i < map.n_sources; i++)
        samples |= map.source[i].role == GS_ROLE_SAMPLES;
    *study = samples && gs_map_is_study(&map);
    return gs_fail_of_system(err, s, &fault);
}

/*
 * The chosen join is added to what was given. A partial result then records it, and every shard
 * uses the same.
 */
enum gs_status gs_join_opts_settle(const struct gs_command *command, void *parsed,
                                   struct gs_context *context, struct gs_err *err)
{
    struct gs_run_opts *const o = parsed;
    struct gs_join_opts *const join = &o->join;
    if (!command->joins || join->join != GS_JOIN_OF_RUN)
        return GS_OK;
    const size_t n = context->given.n;
    GS_NEW(const char *, given, n + 1, context->arena, err);
    bool study;
    GS_TRY(is_study(&o->dataset, context, &study, err));
    join->join = study ? GS_JOIN_NEAREST : GS_JOIN_WINDOW;
    const char *const word = gs_format(context->arena, "--join=%s", gs_join_words[join->join]);
    GS_TRY(gs_had_memory(word != NULL, err));
    if (n > 0)
        memcpy(given, context->given.item, n * sizeof *given);
    given[n] = word;
    context->given = (struct gs_list){given, n + 1};
    return GS_OK;
}

struct gs_join_options gs_join_opts_get(const struct gs_join_opts *o)
{
    return (struct gs_join_options){.join = (enum gs_join)o->join,
                                    .ties_later = o->ties != 0,
                                    .tolerance_ns = o->tolerance_ns,
                                    .max_gap_ns = -1}; /* as the view says */
}

void gs_join_opts_notes(const struct gs_command *command, const void *parsed,
                        struct gs_notes *notes)
{
    const struct gs_join_opts *const o = &((const struct gs_run_opts *)parsed)->join;
    if (!command->joins)
        return;
    const bool window = (enum gs_join)o->join == GS_JOIN_WINDOW;
    if (window && o->tolerance_ns >= 0)
        gs_note(notes, GS_NOTE_WARNING,
                "--tolerance does nothing: --join window takes the samples inside");
    if (window && o->ties != 0)
        gs_note(notes, GS_NOTE_WARNING,
                "--ties does nothing: --join window takes the samples inside");
    if (!window && (enum gs_join)o->join != GS_JOIN_NEAREST && o->ties != 0)
        gs_note(notes, GS_NOTE_WARNING,
                "--ties does nothing: only --join nearest can find two samples equally near");
}

enum gs_status gs_study_file_check(const char *command, const char *action, const char *file,
                                   struct gs_err *err)
{
    if (!gs_is_directory(file))
        return GS_OK;
    const char *const shown = GS_SHOWN(gs_str(file), 200);
    return gs_fail(err, GS_ERR_NOINPUT,
                   "%s: is a directory; %s reads one table: gpustat %s %s%sFILE (its columns: "
                   "gpustat help %s)",
                   shown, command, command, action, *action == '\0' ? "" : " ", command);
}
