/* test_folds.c - every fold: hosts parted into states, saved, loaded and merged in any order, finish as one run does. */
#define _GNU_SOURCE
#include "run_fixture.h"

#include "output/writers/render.h"
#include "app/passes/fold_command.h"
#include "analysis/check/check.h"
#include "app/cli/commands.h"
#include "analysis/gpus/balance.h"
#include "analysis/jobs/jobs.h"
#include "analysis/events/bias.h"
#include "analysis/events/events_by.h"
#include "analysis/events/pairs.h"
#include "analysis/gpus/per_gpu.h"
#include "analysis/schedule/schedule.h"
#include "analysis/diff/diff.h"
#include "analysis/gpus/stragglers.h"
#include "analysis/events/summary.h"
#include "analysis/gpus/tiles.h"
#include "analysis/gpus/timeline.h"

static struct random_run run;

#define NEAREST                                                                                    \
    {                                                                                              \
        .join = GS_JOIN_NEAREST, .tolerance_ns = -1                                                \
    }
#define WINDOW                                                                                     \
    {                                                                                              \
        .join = GS_JOIN_WINDOW, .tolerance_ns = -1, .max_gap_ns = 1000 * GS_NS_PER_MS              \
    }

/* A new fold is tested by being here. */
static const struct {
    const struct gs_fold *fold;
    const void *options;
} all_folds[] = {
    {&gs_events_fold, &(const struct gs_events_options){NEAREST, NULL}},
    {&gs_events_fold, &(const struct gs_events_options){WINDOW, NULL}},
    {&gs_events_fold, &(const struct gs_events_options){WINDOW, "Render"}},
    {&gs_events_by_fold,
     &(const struct gs_events_by_options){
         .events = {WINDOW, NULL}, .n_keys = 3, .key = {{"host", 4}, {"event", 5}, {"level", 5}}}},
    {&gs_zoom_fold, &(const struct gs_events_options){WINDOW, "TotalRender"}},
    {&gs_bias_fold, &(const struct gs_join_options)NEAREST},
    {&gs_timeline_fold, &(const struct gs_timeline_options){.every_ns = 3 * GS_NS_PER_S,
                                                            .max_gap_ns = 1000 * GS_NS_PER_MS,
                                                            .event = "Render",
                                                            .cells = true}},
    {&gs_schedule_fold, &(const struct gs_schedule_options){"TotalRender", false, false}},
    {&gs_schedule_fold, &(const struct gs_schedule_options){"Render", true, true}},
    {&gs_balance_fold, &(const struct gs_balance_options){1000 * GS_NS_PER_MS, GS_BALANCE_RUN}},
    {&gs_balance_fold, &(const struct gs_balance_options){1000 * GS_NS_PER_MS, GS_BALANCE_GPU}},
    {&gs_balance_fold, &(const struct gs_balance_options){1000 * GS_NS_PER_MS, GS_BALANCE_LEVEL}},
    {&gs_jobs_fold, &(const struct gs_jobs_options){.idle_below = 10 * GS_FIXED_ONE}},
    {&gs_jobs_fold, &(const struct gs_jobs_options){.share = GS_SHARE_FIRST_FIT,
                                                    .n_keys = 2,
                                                    .key = {{"name", 4}, {"host", 4}}}},
    {&gs_pairs_fold, &(const struct gs_events_options){NEAREST, NULL}},
    {&gs_pairs_fold, &(const struct gs_events_options){WINDOW, "Render"}},
    {&gs_summary_fold, NULL},
    {&gs_gpus_fold,
     &(const struct gs_per_gpu_options){{"TotalRender", INT64_MAX, false, true, true}, 0.95}},
    {&gs_correlate_fold,
     &(const struct gs_per_gpu_options){{"Render", INT64_MAX, false, false, false}, 0.95}},
    {&gs_clusters_fold,
     &(const struct gs_clusters_options){
         {"TotalRender", INT64_MAX, false, false, false}, {.k = 2}, true}},
    {&gs_stragglers_fold,
     &(const struct gs_stragglers_options){.profile = {.event = "Render",
                                                       .hot = 40 * GS_FIXED_ONE,
                                                       .keep_tasks = true,
                                                       .loads = true},
                                           .fdr = 0.9,
                                           .all = true}},
    {&gs_tiles_fold,
     &(const struct gs_tiles_options){GS_TILE_ENERGY, 8, "Render", 1000 * GS_NS_PER_MS, 0}},
    {&gs_tiles_fold, &(const struct gs_tiles_options){GS_TILE_HOST, GS_MISSING, "Render", 0, 0}},
    {&gs_tiles_fold,
     &(const struct gs_tiles_options){GS_TILE_CLUSTER, GS_MISSING, "TotalRender", 0, 2}},
    {&gs_diff_fold,
     &(const struct gs_diff_options){
         .by = {.events = {WINDOW, NULL}, .n_keys = 2, .key = {{"event", 5}, {"host", 4}}},
         .margin = 0.02,
         .n_base = 1,
         .n_runs = 2}},
    {&gs_diff_fold,
     &(const struct gs_diff_options){
         .by = {.events = {WINDOW, NULL}, .n_keys = 1, .key = {{"event", 5}}},
         .n_measures = 2,
         .measure = {{"throughput", 10}, {"temp_c", 6}},
         .run = 1,
         .n_base = 1,
         .n_runs = 2}},
    {&gs_check_fold, &(const struct gs_accepted){{0}}},
};

struct loaded {
    struct gs_arena arena;
    struct gs_dataset d;
    struct gs_frames out;
    struct gs_err err;
};

static void load_run(struct loaded *l)
{
    memset(l, 0, sizeof *l);
    l->out.notes.arena = &l->arena;
    random_run_draw(&run);
    random_run_write(&run);
    const struct run_texts texts = random_run_texts(&run);
    const struct run_options o = {.n_threads = 1 + (unsigned)random_below(3),
                                  .seed = random_bits(),
                                  .places = random_below(2) == 0,
                                  .drop = random_below(2) == 0};
    if (run_load(&texts, &o, &l->arena, &l->d, &l->out.notes, &l->err) != GS_OK)
        fail_msg("%s", l->err.text);
}

static enum gs_status append(void *context, const char *bytes, size_t len, struct gs_err *err)
{
    (void)err;
    gs_buf_bytes(context, bytes, len);
    return GS_OK;
}

/* Frames and notes as text. */
static struct gs_str shown(const struct gs_frames *out, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    for (const struct gs_frame *f = out->first; f != NULL; f = f->next) {
        gs_buf_format(&b, "%s: %s\n", f->name, f->title);
        struct gs_frame one = *f;
        one.next = NULL;
        const struct gs_render_options o = {.n_threads = 1};
        assert_int_equal(gs_render(&one, GS_FORMAT_CSV, &o, (struct gs_sink){append, &b}, NULL),
                         GS_OK);
    }
    for (const struct gs_note *n = out->notes.first; n != NULL; n = n->next)
        gs_buf_format(&b, "%d %s\n", (int)n->kind, n->text);
    assert_false(b.failed);
    return gs_buf_str(&b);
}

/* A state with its facts, as bytes. */
static struct gs_str saved(const struct gs_fold_job *job, const struct gs_facts *facts,
                           struct gs_arena *arena)
{
    struct gs_arena scratch = {0};
    struct gs_buf b = {.arena = arena};
    gs_facts_save(facts, &b);
    const struct gs_saving how = {.b = &b, .scratch = &scratch};
    assert_int_equal(gs_state_save(job->fold, &job->state, &how, NULL), GS_OK);
    gs_arena_release(&scratch);
    assert_false(b.failed);
    return gs_buf_str(&b);
}

static void load_state(struct gs_str bytes, struct gs_fold_job *job, struct gs_facts *facts,
                       struct gs_arena *arena)
{
    struct gs_err err = {0};
    struct gs_unpacker u = gs_unpack("part", bytes, &err);
    enum gs_status s = gs_facts_load(facts, &u, arena);
    facts->seed = random_bits(); /* of its own: no order and no byte depends on it */
    if (s == GS_OK)
        s = gs_state_load(job->fold, facts, &job->state, NULL, &u, arena);
    if (s != GS_OK)
        fail_msg("%s", err.text);
    for (size_t k = 0; k < job->fold->n_tables; k++)
        assert_true(job->state.table[k].seed == facts->seed);
    assert_true(u.at == u.end);
}

/* Hosts fall into `n_parts` states; the states come back from bytes and are merged in an order of its own. */
static struct gs_str in_parts(const struct loaded *l, struct gs_fold_job job, unsigned n_parts,
                              struct gs_arena *arena, struct gs_str *bytes)
{
    enum { PARTS_MAX = 5 };
    struct gs_str part[PARTS_MAX];
    unsigned part_of[RUN_HOSTS + 1];
    struct gs_facts facts, more;
    for (uint32_t h = 0; h < l->d.host.n; h++)
        part_of[h] = (unsigned)random_below(n_parts);
    for (unsigned k = 0; k < n_parts; k++) {
        bool takes[RUN_HOSTS + 1] = {false};
        for (uint32_t h = 0; h < l->d.host.n; h++)
            takes[h] = part_of[h] == k;
        assert_int_equal(gs_folds_run(&(struct gs_fold_way){&l->d, &job, 1, &facts}, 1, takes,
                                      1 + (unsigned)random_below(3), arena, NULL),
                         GS_OK);
        part[k] = saved(&job, &facts, arena);
    }
    for (unsigned k = n_parts; k > 1; k--) {
        const unsigned other = (unsigned)random_below(k);
        const struct gs_str one = part[other];
        part[other] = part[k - 1];
        part[k - 1] = one;
    }
    load_state(part[0], &job, &facts, arena);
    for (unsigned k = 1; k < n_parts; k++) {
        struct gs_fold_job other = {.fold = job.fold, .options = job.options};
        load_state(part[k], &other, &more, arena);
        assert_int_equal(gs_facts_merge(&facts, &more, arena, NULL), GS_OK);
        assert_int_equal(gs_state_merge(job.fold, &job.state, &other.state, arena, NULL), GS_OK);
    }
    *bytes = saved(&job, &facts, arena);
    struct gs_frames out = {.notes.arena = arena};
    struct gs_err err = {0};
    const enum gs_status s = job.fold->finish(
        &(struct gs_finish){job.options, &job.state, &facts, 2, arena, NULL}, &out, &err);
    if (s != GS_OK && s != GS_FINDINGS)
        return gs_str(gs_arena_copy(arena, err.text, strlen(err.text)));
    return shown(&out, arena);
}

static enum gs_status fold_run(const struct loaded *l, size_t k, unsigned n_threads,
                               struct gs_fold_job *job, struct gs_facts *facts,
                               struct gs_arena *arena, struct gs_err *err)
{
    *job = (struct gs_fold_job){.fold = all_folds[k].fold, .options = all_folds[k].options};
    return gs_folds_run(&(struct gs_fold_way){&l->d, job, 1, facts}, 1, NULL, n_threads, arena,
                        err);
}

/* Every fold over runs drawn at random, each with an arena for what it makes. */
static void each_fold(unsigned n_rounds, void (*check)(const struct loaded *l, size_t k,
                                                       unsigned n_threads, struct gs_arena *arena))
{
    for (unsigned round = 0; round < n_rounds; round++) {
        struct loaded l;
        load_run(&l);
        for (size_t k = 0; k < COUNT_OF(all_folds); k++) {
            struct gs_arena arena = {0};
            check(&l, k, 1 + round % 3, &arena);
            gs_arena_release(&arena);
        }
        gs_arena_release(&l.arena);
    }
    random_run_free(&run);
}

static void finishes_in_parts_as_at_once(const struct loaded *l, size_t k, unsigned n_threads,
                                         struct gs_arena *arena)
{
    struct gs_fold_job job;
    struct gs_facts facts;
    struct gs_frames out = {.notes.arena = arena};
    struct gs_err err = {0};
    if (fold_run(l, k, n_threads, &job, &facts, arena, &err) != GS_OK) {
        assert_int_not_equal(err.text[0], '\0'); /* no such event */
        return;
    }
    for (size_t t = 0; t < job.fold->n_tables; t++)
        assert_true(job.state.table[t].seed == l->d.seed);
    const struct gs_str bytes = saved(&job, &facts, arena);
    const enum gs_status s = job.fold->finish(
        &(struct gs_finish){job.options, &job.state, &facts, 1, arena, NULL}, &out, &err);
    const struct gs_str whole =
        s == GS_OK || s == GS_FINDINGS ? shown(&out, arena) : gs_str(err.text);
    struct gs_str merged_bytes;
    const struct gs_str merged =
        in_parts(l, job, 1 + (unsigned)random_below(5), arena, &merged_bytes);
    if (!gs_str_eq(whole, merged))
        fail_msg("fold %zu, %s: one run says\n%.*s\nits parts say\n%.*s", k, job.fold->name,
                 (int)whole.len, whole.ptr, (int)merged.len, merged.ptr);
    assert_true(gs_str_eq(bytes, merged_bytes));
}

static void parted_states_finish_as_one_run(void **state)
{
    (void)state;
    each_fold(100, finishes_in_parts_as_at_once);
}

/* A fold that may be shown hosts GPU by GPU comes to the same state as with all of a host in the view. */
static void hosts_shown_by_gpu_come_to_the_same_state(void **state)
{
    (void)state;
    unsigned n_compared = 0;
    for (int round = 0; round < 60; round++) {
        struct loaded l;
        load_run(&l);
        for (size_t k = 0; k < COUNT_OF(all_folds); k++) {
            if ((all_folds[k].fold->views & GS_VIEW_BY_GPU) == 0)
                continue;
            struct gs_arena arena = {0};
            struct gs_fold whole = *all_folds[k].fold;
            whole.views &= ~(unsigned)GS_VIEW_BY_GPU;
            struct gs_fold_job by_gpu = {.fold = all_folds[k].fold,
                                         .options = all_folds[k].options};
            struct gs_fold_job at_once = {.fold = &whole, .options = all_folds[k].options};
            struct gs_facts facts, same_facts;
            const enum gs_status s = gs_folds_run(&(struct gs_fold_way){&l.d, &by_gpu, 1, &facts},
                                                  1, NULL, 1 + (unsigned)round % 3, &arena, NULL);
            assert_int_equal(gs_folds_run(&(struct gs_fold_way){&l.d, &at_once, 1, &same_facts}, 1,
                                          NULL, 2, &arena, NULL),
                             s);
            if (s == GS_OK) {
                assert_true(gs_str_eq(saved(&by_gpu, &facts, &arena),
                                      saved(&at_once, &same_facts, &arena)));
                n_compared++;
            }
            gs_arena_release(&arena);
        }
        gs_arena_release(&l.arena);
    }
    assert_true(n_compared > 100);
    random_run_free(&run);
}

/* With duplicates and without, in one visit: what each finds of the hosts is what it finds alone. */
static void a_visit_of_two_ways_is_two_visits(void **state)
{
    enum { N = COUNT_OF(all_folds) };
    (void)state;
    uint64_t n_apart = 0;
    for (int round = 0; round < 40; round++) {
        struct loaded l;
        load_run(&l);
        struct gs_dataset d[2] = {l.d, l.d};
        struct gs_arena arena = {0};
        struct gs_fold_job job[2][N];
        struct gs_facts facts[2], alone;
        struct gs_err own[2][N] = {{{0}}}, err = {0};
        const bool *const takes = NULL;
        d[0].duplicates = GS_DUPLICATES_KEEP;
        d[1].duplicates = GS_DUPLICATES_DROP;
        for (size_t k = 0; k < 2 * N; k++)
            job[k / N][k % N] = (struct gs_fold_job){.fold = all_folds[k % N].fold,
                                                     .options = all_folds[k % N].options,
                                                     .own_err = &own[k / N][k % N]};
        const struct gs_fold_way way[] = {{&d[0], job[0], N, &facts[0]},
                                          {&d[1], job[1], N, &facts[1]}};
        if (gs_folds_run(way, 2, takes, 1 + (unsigned)round % 3, &arena, &err) != GS_OK)
            fail_msg("%s", err.text);
        for (size_t k = 0; k < 2 * N; k++) {
            const struct gs_fold_job *const both = &job[k / N][k % N];
            struct gs_fold_job one = {.fold = both->fold, .options = both->options};
            const enum gs_status s = gs_folds_run(&(struct gs_fold_way){&d[k / N], &one, 1, &alone},
                                                  1, takes, 1, &arena, &err);
            assert_int_equal(s, own[k / N][k % N].status);
            if (s == GS_OK)
                assert_true(gs_str_eq(saved(both, &alone, &arena), saved(&one, &alone, &arena)));
        }
        n_apart += facts[0].totals.samples.n + facts[0].totals.checkpoints.n;
        gs_arena_release(&arena);
        gs_arena_release(&l.arena);
    }
    assert_true(n_apart > 0); /* else hosts were only ever shown together */
    random_run_free(&run);
}

/* Joins are kept for the next analysis of a host: by every option that changes one. Each next to the last: one option. */
static void analyses_that_differ_in_one_option_are_the_same_together_and_apart(void **state)
{
    (void)state;
    static const struct gs_join_options join[] = {
        {.join = GS_JOIN_NEAREST, .tolerance_ns = -1, .max_gap_ns = -1},
        {.join = GS_JOIN_NEAREST, .tolerance_ns = -1, .max_gap_ns = 2 * (int64_t)GS_NS_PER_S},
        {.join = GS_JOIN_NEAREST, .tolerance_ns = GS_NS_PER_S, .max_gap_ns = -1},
        {.join = GS_JOIN_NEAREST, .tolerance_ns = -1, .max_gap_ns = -1, .ties_later = true},
        {.join = GS_JOIN_BACKWARD, .tolerance_ns = -1, .max_gap_ns = -1},
        {.join = GS_JOIN_FORWARD, .tolerance_ns = -1, .max_gap_ns = -1},
        {.join = GS_JOIN_WINDOW, .tolerance_ns = -1, .max_gap_ns = -1},
        {.join = GS_JOIN_WINDOW, .tolerance_ns = -1, .max_gap_ns = 2 * (int64_t)GS_NS_PER_S}};
    enum { N_JOINS = COUNT_OF(join), N = 2 * N_JOINS };
    struct gs_events_options options[N_JOINS];
    unsigned n_differ = 0;
    for (int round = 0; round < 5; round++) {
        struct loaded l;
        struct gs_arena arena = {0};
        struct gs_facts facts;
        struct gs_fold_job one[N];
        struct gs_str alone[N];
        load_run(&l);
        for (size_t i = 0; i < N; i++) {
            const bool events = i < N_JOINS;
            options[i % N_JOINS] = (struct gs_events_options){join[i % N_JOINS], NULL};
            one[i] = (struct gs_fold_job){.fold = events ? &gs_events_fold : &gs_pairs_fold,
                                          .options = &options[i % N_JOINS]};
            struct gs_fold_job job = one[i];
            assert_int_equal(gs_folds_run(&(struct gs_fold_way){&l.d, &job, 1, &facts}, 1, NULL, 1,
                                          &arena, NULL),
                             GS_OK);
            alone[i] = saved(&job, &facts, &arena);
        }
        for (size_t i = 0; i < N; i++)
            for (size_t k = 0; k < N; k++) {
                struct gs_fold_job both[2] = {one[i], one[k]};
                assert_int_equal(gs_folds_run(&(struct gs_fold_way){&l.d, both, 2, &facts}, 1, NULL,
                                              1, &arena, NULL),
                                 GS_OK);
                assert_true(gs_str_eq(saved(&both[0], &facts, &arena), alone[i]));
                assert_true(gs_str_eq(saved(&both[1], &facts, &arena), alone[k]));
                n_differ += i / N_JOINS == k / N_JOINS && !gs_str_eq(alone[i], alone[k]);
            }
        gs_arena_release(&arena);
        gs_arena_release(&l.arena);
    }
    assert_true(n_differ > 200); /* else the options would not matter */
    random_run_free(&run);
}

/* Whatever a state's bytes became, loading says so or gives a state that can be finished. */
static void is_refused_or_finishes_when_broken(const struct loaded *l, size_t k, unsigned n_threads,
                                               struct gs_arena *arena)
{
    struct gs_fold_job job;
    struct gs_facts facts;
    if (fold_run(l, k, n_threads, &job, &facts, arena, NULL) == GS_OK) {
        const struct gs_str bytes = saved(&job, &facts, arena);
        for (int change = 0; change < 20; change++) {
            char *const copy = gs_arena_copy(arena, bytes.ptr, bytes.len);
            size_t len = random_below(3) == 0 ? random_below(bytes.len) : bytes.len;
            for (uint64_t n = random_below(3); n > 0 && len > 0; n--)
                copy[random_below(len)] ^= (char)(1 << random_below(8));
            struct gs_err err = {0};
            struct gs_unpacker u = gs_unpack("part", (struct gs_str){copy, len}, &err);
            if (gs_facts_load(&facts, &u, arena) != GS_OK ||
                gs_state_load(job.fold, &facts, &job.state, NULL, &u, arena) != GS_OK) {
                assert_int_equal(u.status, GS_ERR_DATA);
                assert_memory_equal(err.text, "part: byte ", strlen("part: byte "));
                continue;
            }
            struct gs_frames out = {.notes.arena = arena};
            (void)job.fold->finish(
                &(struct gs_finish){job.options, &job.state, &facts, 1, arena, NULL}, &out, NULL);
        }
    }
}

static void broken_states_are_refused_or_finish(void **state)
{
    (void)state;
    each_fold(40, is_refused_or_finishes_when_broken);
}

static void values_come_back_as_they_were_packed(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    static const int64_t sorted[] = {INT64_MIN, -7, -7, 0, 1, INT64_MAX};
    static const uint64_t counts[] = {0, 127, 128, UINT64_MAX};
    gs_pack_i128(&b, -((gs_i128)1 << 100) - 3);
    gs_pack_text(&b, (struct gs_str){0});
    gs_pack_text(&b, gs_str(""));
    gs_pack_text(&b, gs_str("t\xc3\xa4"));
    gs_pack_sorted(&b, sorted, COUNT_OF(sorted));
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        gs_pack_count(&b, counts[i]);
    gs_pack_real(&b, -0.1);
    struct gs_unpacker u = gs_unpack("x", gs_buf_str(&b), NULL);
    size_t n;
    assert_true(gs_unpack_i128(&u) == -((gs_i128)1 << 100) - 3);
    assert_null(gs_unpack_text(&u).ptr);
    const struct gs_str empty = gs_unpack_text(&u);
    assert_true(empty.ptr != NULL && empty.len == 0);
    assert_true(gs_str_eq(gs_unpack_text(&u), gs_str("t\xc3\xa4")));
    const int64_t *const v = gs_unpack_sorted(&u, &n, &arena);
    assert_int_equal(n, COUNT_OF(sorted));
    assert_memory_equal(v, sorted, sizeof sorted);
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        assert_true(gs_unpack_count(&u) == counts[i]);
    assert_true(gs_unpack_real(&u) == -0.1);
    assert_true(u.at == u.end && u.status == GS_OK);
    gs_arena_release(&arena);
}

static void bytes_that_end_early_are_a_fault_with_its_place(void **state)
{
    (void)state;
    struct gs_err err = {0};
    struct gs_unpacker u = gs_unpack("x",
                                     (struct gs_str){"\x05"
                                                     "abc",
                                                     4},
                                     &err);
    assert_true(gs_unpack_count(&u) == 5);
    assert_true(gs_unpack_u64(&u) == 0);
    assert_int_equal(u.status, GS_ERR_DATA);
    assert_string_equal(err.text,
                        "x: byte 1: found the end of the state, expected a number of 8 bytes");
    u = gs_unpack("x", (struct gs_str){"\xff\xff\xff\xff\x0f", 5}, &err);
    assert_int_equal(gs_unpack_length(&u, 1), 0);
    assert_string_equal(err.text,
                        "x: byte 5: found a count of more than what is left of the state can hold");
}

/* A command that is a fold and not in the table above would be held to nothing. */
static void every_fold_of_a_command_is_tested_here(void **state)
{
    (void)state;
    for (size_t i = 0; gs_commands[i] != NULL; i++) {
        const struct gs_fold_command *const c = gs_commands[i]->folds;
        bool found = c == NULL || c->fold == NULL; /* which options choose */
        for (size_t k = 0; k < sizeof all_folds / sizeof *all_folds && !found; k++)
            found = c->fold == all_folds[k].fold;
        if (!found)
            fail_msg("the fold of %s is not in all_folds", gs_commands[i]->name);
    }
}

/* Fields ascend, none reaches into the next or behind the record. */
static void fields_lie_apart(const struct gs_field *field, size_t n, size_t size)
{
    size_t from = 0;
    for (size_t i = 0; i < n; i++) {
        assert_in_range(field[i].offset, from, size);
        from = field[i].offset + gs_field_traits[field[i].kind].size;
    }
    assert_in_range(from, 0, size);
}

static void a_record_holds_its_fields(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(all_folds); k++)
        for (size_t t = 0; t < all_folds[k].fold->n_tables; t++) {
            const struct gs_records_spec *const spec = all_folds[k].fold->table[t];
            fields_lie_apart(spec->field, spec->n_fields, spec->size);
            fields_lie_apart(spec->tail, spec->n_tail_fields, spec->tail_size);
        }
    for (size_t a = 0; a < GS_N_FIELD_KINDS; a++) /* no state is taken for one of other kinds */
        for (size_t b = a; b < GS_N_FIELD_KINDS; b++)
            assert_true(gs_field_traits[a].letter != (a == b ? '\0' : gs_field_traits[b].letter));
}

/* A record of any size is known to be new, and a change at any place of it is seen. */
static void a_long_record_is_looked_at_to_its_end(void **state)
{
    (void)state;
    struct longest {
        int64_t bound;
        char bytes[5000];
        int64_t other;
    };
    static const struct gs_field fields[] = {{GS_FIELD_LEAST, 0},
                                             {GS_FIELD_GREATEST, offsetof(struct longest, other)}};
    static const struct gs_records_spec spec = {GS_RECORDS("long", "", struct longest, fields)};
    struct gs_arena arena = {0};
    struct gs_records table = {0};
    assert_int_equal(gs_records_init(&table, &spec, NULL, 1, 0, &arena, NULL), GS_OK);
    assert_true(gs_records_is_new(&table, 0));
    for (size_t i = 0; i < sizeof(struct longest); i++) {
        ((char *)gs_records_at(&table, 0))[i] ^= 1;
        assert_false(gs_records_is_new(&table, 0));
        ((char *)gs_records_at(&table, 0))[i] ^= 1;
    }
    gs_arena_release(&arena);
}

/* Where keys lie in the table depends on the seed, what the table says does not. */
static void a_seed_moves_keys_and_changes_nothing(void **state)
{
    (void)state;
    enum { KEYS = 60 };
    static const struct gs_field fields[] = {{GS_FIELD_COUNT, 0}};
    static const struct gs_records_spec spec = {GS_RECORDS("seeded", "ti", uint64_t, fields)};
    struct gs_arena arena = {0};
    struct gs_buf bytes[2] = {{.arena = &arena}, {.arena = &arena}};
    struct gs_records table[2] = {{.seed = 1}, {.seed = 2}};
    for (size_t t = 0; t < COUNT_OF(table); t++) {
        assert_int_equal(gs_records_init(&table[t], &spec, NULL, 0, 0, &arena, NULL), GS_OK);
        for (int round = 0; round < 2; round++)
            for (int64_t i = 0; i < KEYS; i++) {
                const union gs_key key[] = {{.text = gs_str(i % 2 == 0 ? "even" : "odd")},
                                            {.number = i << 50}};
                uint64_t *const count = gs_records_find(&table[t], key, &arena);
                assert_non_null(count);
                ++*count;
            }
        assert_int_equal(table[t].n, KEYS);
    }
    assert_int_equal(table[0].n_slots, table[1].n_slots);
    assert_memory_not_equal(table[0].slot, table[1].slot, table[0].n_slots * sizeof *table[0].slot);
    for (size_t t = 0; t < COUNT_OF(table); t++)
        assert_int_equal(gs_records_save(&table[t], &bytes[t], NULL, &arena, NULL), GS_OK);
    assert_true(gs_str_eq(gs_buf_str(&bytes[0]), gs_buf_str(&bytes[1])));
    gs_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fold_of_a_command_is_tested_here),
        cmocka_unit_test(parted_states_finish_as_one_run),
        cmocka_unit_test(hosts_shown_by_gpu_come_to_the_same_state),
        cmocka_unit_test(a_visit_of_two_ways_is_two_visits),
        cmocka_unit_test(analyses_that_differ_in_one_option_are_the_same_together_and_apart),
        cmocka_unit_test(broken_states_are_refused_or_finish),
        cmocka_unit_test(a_record_holds_its_fields),
        cmocka_unit_test(a_long_record_is_looked_at_to_its_end),
        cmocka_unit_test(a_seed_moves_keys_and_changes_nothing),
        cmocka_unit_test(values_come_back_as_they_were_packed),
        cmocka_unit_test(bytes_that_end_early_are_a_fault_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
