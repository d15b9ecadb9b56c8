/* merge_states.c - states of one question, of every shard once. */
#include "app/passes/merge_states.h"

#include <string.h>

#include "base/os/replayable_input.h"
#include "input/bytes/bytes.h"

/* One state file. */
struct state_part {
    const char *name; /* escaped */
    struct gs_state_reader reader;
};

static bool same_texts(const struct gs_str *a, const struct gs_str *b, size_t n)
{
    bool same = true;
    for (size_t i = 0; i < n && same; i++)
        same = gs_str_eq(a[i], b[i]);
    return same;
}

static void show_question(const struct gs_state_head *h, struct gs_arena *arena, struct gs_buf *b)
{
    *b = (struct gs_buf){.arena = arena};
    gs_buf_escaped(b, h->command, 64);
    for (size_t i = 0; i < h->n_arguments; i++) {
        gs_buf_char(b, ' ');
        gs_buf_escaped(b, h->argument[i], 128);
    }
}

static const char *units(const struct gs_state_head *h)
{
    return h->is_parts ? "parts" : "shards";
}

/*
 * All states must answer one question. The texts of the options are compared, not their values:
 * `--tolerance 1s` and `1000ms` are refused together. That is stricter than needed and never
 * wrong.
 */
static enum gs_status check_same(const struct state_part *a, const struct state_part *b,
                                 struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_state_head *const x = &a->reader.head, *const y = &b->reader.head;
    struct gs_buf one, other;
    if (x->is_parts != y->is_parts)
        return gs_fail(err, GS_ERR_DATA, "%s: was made with %s, %s with %s; expected one of them",
                       b->name, y->is_parts ? "--part" : "--shard", a->name,
                       x->is_parts ? "--part" : "--shard");
    if (x->n_shards != y->n_shards)
        return gs_fail(err, GS_ERR_DATA, "%s: is of %u %s, %s of %u; expected states of one run",
                       b->name, (unsigned)y->n_shards, units(y), a->name, (unsigned)x->n_shards);
    if (gs_str_eq(x->command, y->command) && x->n_arguments == y->n_arguments &&
        same_texts(x->argument, y->argument, x->n_arguments))
        return GS_OK;
    show_question(x, arena, &one);
    show_question(y, arena, &other);
    GS_TRY(gs_had_memory(!one.failed && !other.failed, err));
    return gs_fail(err, GS_ERR_DATA, "%s: is a state of '%s', expected '%s' as in %s", b->name,
                   other.ptr, one.ptr, a->name);
}

/*
 * Which shards are there: each once, and all of them unless only a state is wanted. The head of
 * a state is read from a file: n_shards is at most GS_SHARDS_MAX there, which bounds both
 * arrays. A host that two states hold would be counted twice, so overlap is an error even where
 * all other parts are missing.
 */
static enum gs_status check_shards(const struct state_part *part, size_t n, bool all,
                                   struct gs_arena *arena, struct gs_state_head *head,
                                   struct gs_err *err)
{
    const uint32_t n_shards = part[0].reader.head.n_shards;
    const char *const unit = units(&part[0].reader.head);
    GS_NEW(const struct state_part *, of, (size_t)n_shards + 1, arena, err);
    GS_TAKE(head->shard, n_shards, arena, err);
    head->n = 0;
    for (size_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < part[k].reader.head.n; i++) {
            const uint32_t shard = part[k].reader.head.shard[i];
            if (of[shard] != NULL)
                return gs_fail(err, GS_ERR_DATA, "%s: holds %.*s %u of %u, which %s holds, too",
                               part[k].name, (int)strlen(unit) - 1, unit, (unsigned)shard,
                               (unsigned)n_shards, of[shard]->name);
            of[shard] = &part[k];
        }
    struct gs_buf missing = {.arena = arena};
    for (uint32_t shard = 1; shard <= n_shards; shard++)
        if (of[shard] != NULL)
            head->shard[head->n++] = shard;
        else if (missing.len < 200)
            gs_buf_format(&missing, "%s%u", missing.len == 0 ? "" : ", ", (unsigned)shard);
    if (all && head->n < n_shards)
        return gs_fail(err, GS_ERR_DATA, "%u of %u %s are missing: %s",
                       (unsigned)(n_shards - head->n), (unsigned)n_shards, unit,
                       missing.failed ? "?" : missing.ptr);
    return GS_OK;
}

/*
 * The command of the states with its options as they were given. The state was written by a
 * command line, but the file may come from anywhere. A usage error in it is therefore an error
 * of the data, with the file's name and not the user's options.
 */
static enum gs_status parse_question(const struct gs_state_head *h, const char *name,
                                     struct gs_context *context, void **parsed, struct gs_err *err)
{
    struct gs_arena *const arena = context->arena;
    struct gs_list operands = {0};
    const char *const word = gs_arena_copy(arena, h->command.ptr, h->command.len);
    GS_NEW(const char *, args, h->n_arguments, arena, err);
    GS_TRY(gs_had_memory(word != NULL, err));
    const struct gs_command *const c = context->find(word);
    if (c == NULL || c->folds == NULL)
        return gs_fail(err, GS_ERR_DATA, "%s: is a state of '%s', which has none", name,
                       GS_SHOWN(h->command, 64));
    for (size_t i = 0; i < h->n_arguments; i++) {
        args[i] = gs_arena_copy(arena, h->argument[i].ptr, h->argument[i].len);
        GS_TRY(gs_had_memory(args[i] != NULL, err));
    }
    *parsed = gs_arena_take(arena, 1, c->opts_size);
    GS_TRY(gs_had_memory(*parsed != NULL, err));
    if (c->defaults != NULL)
        memcpy(*parsed, c->defaults, c->opts_size);
    const struct gs_opt_set set = {c->opts, *parsed, NULL, false, NULL};
    struct gs_err own = {0};
    const enum gs_status s =
        gs_options_parse(&set, 1, args, h->n_arguments, &operands, arena, &own);
    if (s != GS_OK)
        return gs_fail(err, s == GS_ERR_USAGE ? GS_ERR_DATA : s, "%s: %s", name, own.text);
    memcpy((char *)*parsed + c->operands_offset, &operands, sizeof operands);
    context->command = c;
    return GS_OK;
}

/* Two builds of one version may lay states out in two ways. */
static enum gs_status check_layouts(const struct gs_query *q, const struct state_part *part,
                                    size_t n, struct gs_err *err)
{
    struct gs_fold_job job;
    char layout[GS_FOLD_LAYOUT_MAX];
    GS_TRY(gs_question_job(q, q->parsed, &job, err));
    gs_fold_layout(job.fold, layout);
    for (size_t k = 0; k < n; k++)
        if (!gs_str_eq(part[k].reader.head.layout, gs_str(layout)))
            return gs_fail(
                err, GS_ERR_DATA,
                "%s: is laid out as another build of gpustat %s does it; compute it again",
                part[k].name, q->context->version);
    return GS_OK;
}

/* Looks at the first bytes: what is no state is not read, however large. */
static enum gs_status check_magic(const char *path, const char *name, struct gs_arena *arena,
                                  struct gs_err *err)
{
    char first[64];
    struct gs_bytes *source;
    size_t n = 0, got = 1;
    if (!gs_is_regular(path)) /* cannot be looked at twice */
        return GS_OK;
    enum gs_status s = gs_bytes_open(path, arena, &source, err);
    if (s != GS_OK)
        return s;
    for (; s == GS_OK && got > 0 && n < sizeof first; n += got)
        s = gs_bytes_read(source, first + n, sizeof first - n, &got, err);
    gs_bytes_close(source);
    GS_THEN(s, gs_state_check(name, (struct gs_str){first, n}, err));
    return s;
}

/*
 * Every file is checked before any state is loaded: a wrong file among thousands is reported
 * before the long part of the work.
 */
static enum gs_status open_parts(const struct gs_list *list, const struct gs_context *context,
                                 struct state_part *part, struct gs_err *err)
{
    for (size_t k = 0; k < list->n; k++) {
        struct gs_str bytes;
        part[k].name = gs_escaped(context->arena, gs_str(list->item[k]), 512);
        GS_TRY(gs_had_memory(part[k].name != NULL, err));
        GS_TRY(check_magic(list->item[k], part[k].name, context->arena, err));
        GS_TRY(gs_bytes_all(list->item[k], SIZE_MAX, "", context->arena, &bytes, err));
        GS_TRY(gs_state_open(part[k].name, bytes, context->version, context->arena, &part[k].reader,
                             err));
        if (k > 0)
            GS_TRY(check_same(&part[0], &part[k], context->arena, err));
    }
    return GS_OK;
}

/* Sums are exact integers, so the order of the paths does not change the result. */
enum gs_status gs_merge_states(const struct gs_list *paths, const char *partial,
                               const struct gs_context *given, struct gs_frames *out,
                               struct gs_err *err)
{
    struct gs_context context = *given;
    struct gs_state_sum sum = {.question = {NULL, &context}, .arena = context.arena};
    struct gs_state_head head;
    void *question = NULL;
    GS_NEW(struct state_part, part, paths->n, context.arena, err);
    GS_TRY(open_parts(paths, &context, part, err));
    head = part[0].reader.head;
    GS_TRY(check_shards(part, paths->n, partial == NULL, context.arena, &head, err));
    GS_TRY(parse_question(&head, part[0].name, &context, &question, err));
    sum.question.parsed = question;
    GS_TRY(check_layouts(&sum.question, part, paths->n, err));
    for (size_t k = 0; k < paths->n; k++) {
        struct gs_err own = {0};
        const enum gs_status s = gs_state_sum_add(&sum, &part[k].reader.rest, &own);
        /* Bytes name their file, what does not go together does not. */
        if (s == GS_ERR_DATA && !gs_str_begins(gs_str(own.text), part[k].name))
            return gs_fail(err, s, "%s: %s", part[k].name, own.text);
        if (s != GS_OK)
            return gs_fail_again(err, &own);
    }
    GS_TRY(gs_state_sum_finish(&sum, &head, partial, NULL, out, err));
    for (struct gs_frame *f = out->first; f != NULL; f = f->next)
        f->zone = gs_opts_zone(context.command->opts, question);
    return GS_OK;
}
