/* kept_data.c - tables of a run that stay loaded, so that one reading serves many commands. */
#include "app/options/kept_data.h"

#include <string.h>

struct gs_kept_load {
    struct gs_kept_load *next;
    struct gs_str key;
    bool optional[GS_N_TABLES];
    struct gs_dataset dataset;
    struct gs_notes notes;
};

static void append_text(struct gs_buf *b, const char *text)
{
    /* NULL and "" differ, and no text may run into the next: each ends in a NUL that no text holds. */
    gs_buf_char(b, text == NULL ? '-' : '+');
    if (text != NULL)
        gs_buf_text(b, text);
    gs_buf_char(b, '\0');
}

static void append_list(struct gs_buf *b, const struct gs_list *list)
{
    gs_buf_format(b, "%zu:", list->n);
    for (size_t i = 0; i < list->n; i++)
        append_text(b, list->item[i]);
}

/*
 * All that the loaded tables depend on, as bytes. What is set on them after loading is not
 * among it. An option that changes the tables must be added here, or a command gets the tables
 * of another question.
 */
static void append_key(struct gs_buf *b, const struct gs_kept_question *q)
{
    const struct gs_dataset_opts *const o = q->options;
    const struct gs_list *const lists[] = {&o->dir, &o->checkpoints, &o->gpu, &o->tasks, &o->set};
    const char *const texts[] = {o->map, o->start, o->columns, o->power_column, o->zone.name};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        append_list(b, lists[i]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        append_text(b, texts[i]);
    gs_buf_format(b, "%ld %d %d %d %d %d ", (long)o->zone.offset_s, o->duplicates, o->own_tasks,
                  q->places, q->gives_zone, q->ends);
    for (int k = 0; k < GS_N_TABLES; k++)
        gs_buf_char(b, q->need[k] ? '1' : '0');
}

/* Did the files hold every table that was asked for? Then it does not matter which of them were optional. */
static bool has_all(const struct gs_dataset *d, const bool need[GS_N_TABLES])
{
    bool all = true;
    for (int k = 0; k < GS_N_TABLES; k++) {
        bool any = !need[k];
        for (size_t i = 0; i < d->n_inputs; i++)
            any |= d->input[i].kind == (enum gs_table_kind)k;
        all = all && any;
    }
    return all;
}

/*
 * Loads with effects beside their tables, such as a file of rejects, are made anew each time.
 */
bool gs_kept_data_may(const struct gs_kept_question *q)
{
    const struct gs_dataset_opts *const o = q->options;
    return o->rejects == NULL && !o->digest && o->pass_plan == NULL && o->n_shards <= 1 &&
           o->first_input == 0;
}

const struct gs_dataset *gs_kept_data_find(const struct gs_kept_data *k,
                                           const struct gs_kept_question *q, struct gs_notes *notes)
{
    struct gs_arena own = {0};
    struct gs_buf key = {.arena = &own};
    const struct gs_kept_load *found = k->first;
    append_key(&key, q);
    for (; found != NULL; found = found->next)
        if (!key.failed && gs_str_eq(found->key, gs_buf_str(&key)) &&
            (has_all(&found->dataset, q->need) ||
             memcmp(found->optional, q->optional, sizeof found->optional) == 0))
            break;
    gs_arena_release(&own);
    if (found == NULL)
        return NULL;
    gs_notes_add(notes, &found->notes);
    return &found->dataset;
}

static const char *copy_text(struct gs_arena *arena, const char *text, bool *ok)
{
    if (text == NULL)
        return NULL;
    const char *const copy = gs_arena_copy(arena, text, strlen(text));
    *ok = *ok && copy != NULL;
    return copy;
}

static void copy_list(struct gs_arena *arena, struct gs_list *list, bool *ok)
{
    const char **const item = gs_arena_take(arena, list->n + 1, sizeof *item);
    *ok = *ok && item != NULL;
    for (size_t i = 0; *ok && i < list->n; i++)
        item[i] = copy_text(arena, list->item[i], ok);
    list->item = item;
}

enum gs_status gs_kept_data_options(const struct gs_dataset_opts *o, struct gs_arena *arena,
                                    struct gs_dataset_opts *copy, struct gs_err *err)
{
    struct gs_dataset_opts c = *o;
    struct gs_list *const lists[] = {&c.dir, &c.checkpoints, &c.gpu, &c.tasks, &c.set};
    const char **const texts[] = {&c.map, &c.start, &c.columns, &c.power_column, &c.zone.name};
    struct gs_zone_shift *const shift = gs_arena_take(arena, c.zone.n_shifts + 1, sizeof *shift);
    bool ok = shift != NULL;
    for (size_t i = 0; ok && i < sizeof lists / sizeof *lists; i++)
        copy_list(arena, lists[i], &ok);
    for (size_t i = 0; ok && i < sizeof texts / sizeof *texts; i++)
        *texts[i] = copy_text(arena, *texts[i], &ok);
    GS_TRY(gs_had_memory(ok, err));
    if (c.zone.n_shifts > 0)
        memcpy(shift, c.zone.shift, c.zone.n_shifts * sizeof *shift);
    c.zone.shift = shift;
    *copy = c;
    return GS_OK;
}

/*
 * The arena is adopted last. Before that the caller still owns everything and releases it on
 * failure.
 */
enum gs_status gs_kept_data_add(struct gs_kept_data *k, const struct gs_kept_question *q,
                                const struct gs_dataset *dataset, const struct gs_notes *notes,
                                struct gs_arena *loaded, struct gs_err *err)
{
    GS_NEW(struct gs_kept_load, load, 1, loaded, err);
    struct gs_buf key = {.arena = loaded};
    append_key(&key, q);
    GS_TRY(gs_had_memory(!key.failed, err));
    *load = (struct gs_kept_load){
        .next = k->first, .key = gs_buf_str(&key), .dataset = *dataset, .notes = *notes};
    memcpy(load->optional, q->optional, sizeof load->optional);
    k->first = load;
    gs_arena_adopt(&k->arena, loaded);
    return GS_OK;
}
