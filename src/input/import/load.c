/* load.c - from file names to a dataset: find, read, merge, index, say what was noticed. */
#include "input/import/load.h"

#include "input/import/bind.h"
#include "input/scanner/heads.h"
#include "input/detect/manifest.h"
#include "input/import/merge_readers.h"
#include "input/scanner/read_chunks.h"
#include "input/scanner/read_strict.h"
#include "input/import/rows.h"
#include "base/os/input_meter.h"
#include "input/import/pass_plan.h"

#include <string.h>

/* What was noticed while reading, for people. */
static void note_result(const struct gs_load_options *o, struct gs_reader *const *reader, size_t n,
                        const struct gs_dataset *d, struct gs_notes *notes)
{
    bool rounded_time = false, rounded = false;
    unsigned long long n_missing = 0, n_rejected = 0;
    for (size_t i = 0; i < n; i++) {
        rounded_time |= reader[i]->time.rounded;
        rounded |= reader[i]->rounded;
        n_missing += reader[i]->n_missing;
    }
    for (size_t i = 0; i < d->n_inputs; i++)
        n_rejected += d->input[i].n_rejected;
    if (d->zoneless && !o->zone_told && gs_zone_is_utc(&o->zone)) /* another was asked for */
        gs_note(notes, GS_NOTE_INFO, "times without a zone were read as UTC (--tz names another)");
    if (rounded_time)
        gs_note(notes, GS_NOTE_INFO,
                "times with more than 9 fraction digits were rounded to the nanosecond");
    if (rounded)
        gs_note(notes, GS_NOTE_INFO, "readings with more than 6 decimals were rounded to 6");
    if (n_missing > 0)
        gs_note(notes, GS_NOTE_INFO, "%llu %s missing in the samples and %s so", n_missing,
                gs_plural(n_missing, "reading is", "readings are"),
                gs_plural(n_missing, "stays", "stay"));
    if (n_rejected > 0 && !o->rejects_told)
        gs_note(notes, GS_NOTE_WARNING,
                "%llu malformed row%s rejected (--rejects): not in the result", n_rejected,
                gs_plural(n_rejected, "", "s"));
}

/*
 * One reader, file after file, through libcsv. The tests hold the scanner to this way, which
 * is slow and simple.
 */
static enum gs_status read_all_strict(const struct gs_load_options *o, struct gs_dataset *d,
                                      const struct gs_head *head, struct gs_readers *g,
                                      struct gs_err *err)
{
    struct gs_reader *const one = gs_arena_take(d->arena, 1, sizeof *one);
    GS_TAKE(g->reader, 2, d->arena, err); /* and that of all hosts */
    GS_TRY(gs_had_memory(one != NULL, err));
    g->reader[g->n++] = one;
    enum gs_status s = gs_reader_init(one, d, g->encodings, &o->zone, o->places, o->need, err);
    gs_reader_store(one, o->shard, o->n_shards, NULL);
    for (size_t i = 0; s == GS_OK && i < d->n_inputs; i++)
        if (!d->input[i].left_out)
            s = gs_read_strict(o, &d->input[i], i, &head[i], one, err);
    return s;
}

/*
 * An optional table without a file is not a table without rows: results leave its columns out. A
 * table without columns stands for an absent file.
 */
static void leave_out_absent(struct gs_dataset *d)
{
    bool present[GS_N_STORED] = {false};
    for (size_t i = 0; i < d->n_inputs; i++)
        present[d->input[i].kind] = true;
    for (int k = 0; k < GS_N_STORED; k++) /* an input of one kind may hold rows of another, too */
        present[k == GS_TABLE_SPANS ? GS_TABLE_CHECKPOINTS : k] |= d->table[k].n_rows > 0;
    present[GS_TABLE_SPANS] = present[GS_TABLE_CHECKPOINTS];
    for (int k = 0; k < GS_N_STORED; k++)
        if (!present[k])
            d->table[k] = (struct gs_table){0};
}

/*
 * Events that hold for all hosts, now that all are known, in a reader more. Only after all
 * inputs have been read are all hosts known.
 */
static enum gs_status spread(const struct gs_load_options *o, struct gs_dataset *d,
                             struct gs_readers *g, const struct gs_manifest *whole,
                             struct gs_err *err)
{
    bool any = false, in_part = false;
    for (size_t i = 0; i < g->n; i++)
        any |= g->reader[i]->shared != NULL;
    for (size_t i = 0; i < d->n_inputs; i++)
        in_part |= d->input[i].left_out;
    if (!any)
        return GS_OK;
    GS_NEW(struct gs_reader, all, 1, d->arena, err);
    d->has_shared_events = true;
    g->reader[g->n++] = all;
    GS_TRY(gs_reader_init(all, d, g->encodings, &o->zone, o->places, o->need, err));
    gs_reader_store(all, o->shard, o->n_shards, gs_pass_plan_learned(o->pass_plan));
    return gs_rows_spread(g->reader, g->n - 1, whole->first_host, whole->first_is_of_samples,
                          in_part, all, err);
}

/* What holds no host of the shard, or of all passes over it, is left out. */
static enum gs_status leave_out(const struct gs_load_options *o, struct gs_dataset *d,
                                struct gs_manifest *whole, struct gs_err *err)
{
    GS_TRY(gs_manifest_leave_out(d->input, d->n_inputs, o, d->arena, whole, err));
    for (size_t i = 0; i < d->n_inputs; i++)
        d->is_part |= d->input[i].left_out;
    return GS_OK;
}

/*
 * Is there a part of a split whose bytes are to be held against the digest that it was left with?
 * Only the first of several passes hashes: the others are held to size and time of change.
 */
static bool is_split(const struct gs_load_options *o, const struct gs_dataset *d)
{
    bool any = false;
    for (size_t i = 0; i < d->n_inputs && gs_pass_plan_learned(o->pass_plan) == NULL; i++)
        any |= d->input[i].split_sha256 != NULL && !d->input[i].left_out;
    return any;
}

static enum gs_status check_split(const struct gs_dataset *d, struct gs_err *err)
{
    for (size_t i = 0; i < d->n_inputs; i++) {
        const struct gs_input *const in = &d->input[i];
        if (in->split_sha256 != NULL && in->sha256 != NULL &&
            strcmp(in->split_sha256, in->sha256) != 0)
            return gs_fail(err, GS_ERR_DATA,
                           "%s: is damaged, or a part of another split: its SHA-256 differs from "
                           "split.json; split again",
                           in->name);
    }
    return GS_OK;
}

/* What must hold of the inputs before one is read; *head: their beginnings. */
static enum gs_status open_inputs(struct gs_load_options *o, struct gs_dataset *d,
                                  struct gs_manifest *whole, struct gs_head **head,
                                  struct gs_err *err)
{
    if (d->n_inputs > GS_INPUTS_MAX)
        return gs_fail(err, GS_ERR_USAGE, "%zu input files, expected at most %d", d->n_inputs,
                       GS_INPUTS_MAX);
    GS_TRY(leave_out(o, d, whole, err));
    if (is_split(o, d))
        o->digest = true; /* as split.json has it */
    for (size_t i = 0; i < d->n_inputs; i++)
        GS_TRY(gs_path_claim(o->claims, GS_CLAIM_READ, NULL, d->input[i].path, err));
    if (o->pass_plan != NULL)
        GS_TRY(gs_pass_plan_files(o->pass_plan, d, err));
    return gs_heads_read(o, d, head, err);
}

static enum gs_status read_inputs(const struct gs_load_options *o, struct gs_dataset *d,
                                  struct gs_head *head, struct gs_readers *g, struct gs_err *err)
{
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < d->n_inputs; i++)
        n_bytes += head[i].stamp.size;
    gs_input_meter_begin(n_bytes);
    if (o->strict_reader)
        GS_TRY(read_all_strict(o, d, head, g, err));
    else
        GS_TRY(gs_read_chunks(o, d, head, g, err));
    for (size_t i = 0; i < d->n_inputs; i++)
        if (head[i].is_parquet) /* not the bytes of the text that it came as */
            d->input[i].n_bytes = head[i].stamp.size;
    return check_split(d, err);
}

/*
 * The readers' arenas are adopted also after an error, since inputs and names point into them.
 * Notes are written at the end only: an attempt that fails must not leave any.
 */
enum gs_status gs_load(const struct gs_load_options *given, struct gs_arena *arena,
                       struct gs_dataset *dataset, struct gs_notes *notes, struct gs_err *err)
{
    struct gs_load_options own = *given;
    const struct gs_load_options *const o = &own;
    struct gs_dataset d = {.arena = arena,
                           .seed = o->seed,
                           .duplicates = o->duplicates,
                           .has_places = o->places,
                           .first_input = o->first_input,
                           .n_inputs = o->n_inputs};
    struct gs_readers g = {0};
    struct gs_head *head = NULL;
    struct gs_manifest whole = {0};
    GS_TAKE(d.input, o->n_inputs, arena, err);
    if (o->n_inputs > 0)
        memcpy(d.input, o->input, o->n_inputs * sizeof *d.input);
    enum gs_status s = open_inputs(&own, &d, &whole, &head, err);
    GS_THEN(s, read_inputs(o, &d, head, &g, err));
    gs_heads_close(head, d.n_inputs);
    GS_THEN(s, spread(o, &d, &g, &whole, err));
    GS_THEN(s, gs_reader_merge(g.reader, g.n, &d, err));
    if (s == GS_OK)
        leave_out_absent(&d);
    GS_THEN(s, gs_dataset_index(&d, err));
    for (size_t i = 0; i < g.n; i++)
        gs_arena_adopt(arena, &g.reader[i]->arena);
    if (s != GS_OK)
        return s;
    d.checkpoints_name_gpu = d.gpu_name.n > 1; /* the empty name is always there */
    for (size_t i = 0; i < d.n_inputs; i++) {
        if (d.input[i].kind == GS_TABLE_SAMPLES)
            d.n_set_aside += d.input[i].n_rejected;
        d.zoneless |= d.input[i].zoneless;
    }
    note_result(o, g.reader, g.n, &d, notes);
    *dataset = d;
    return GS_OK;
}
