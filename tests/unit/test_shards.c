/* test_shards.c - a shard holds the rows of its hosts and no others, whichever way they were read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/core/shard.h"
#include "input/import/name_filter.h"
#include "input/import/pass_plan.h"
#include "input/import/run_load.h"

enum { N_HOSTS = 9, N_ROWS = 3000 };

static char dir[64];

static void write_table(const char *name, const char *header, void row(FILE *f, unsigned i))
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *const f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%s\n", header);
    for (unsigned i = 0; i < N_ROWS; i++)
        row(f, i);
    assert_int_equal(fclose(f), 0);
}

/* Rows as telemetry writes them, and now and then one that wants another path of the reader. */
static void sample(FILE *f, unsigned i)
{
    const unsigned host = i * 7 % N_HOSTS;
    fprintf(f,
            i % 50 == 0 ? "2018-11-08T08:%02u:%02u.%03uZ, h%u ,s%u,u%u,%u.5,%u,1,2\n"
                        : "\"2018-11-08T08:%02u:%02u.%03uZ\",\"h%u\",\"s%u\",\"u%u\",%u.5,%u,1,2\n",
            i / 60 % 60, i % 60, i % 1000, host, host, host, 20 + i % 100, 30 + host);
}

static void checkpoint(FILE *f, unsigned i)
{
    const unsigned task = i / 10, host = task * 5 % N_HOSTS;
    fprintf(
        f,
        i % 97 == 0 ? "2018-11-08T08:%02u:%02u.%03uZ,h%u,e%u,%s,j,t%u\n"
                    : "\"2018-11-08T08:%02u:%02u.%03uZ\",\"h%u\",\"e%u\",\"%s\",\"j\",\"t%u\"\n",
        task / 60 % 60, task % 60, i % 10, host, i / 2 % 5, i % 2 == 0 ? "START" : "STOP", task);
}

static int make_run(void **state)
{
    (void)state;
    strcpy(dir, "/tmp/gpustat-shards-XXXXXX");
    if (mkdtemp(dir) == NULL)
        return -1;
    write_table(
        "gpu.csv",
        "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc",
        sample);
    write_table("application-checkpoints.csv",
                "timestamp,hostname,eventName,eventType,jobId,taskId", checkpoint);
    return 0;
}

static int remove_run(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", dir);
    return system(command);
}

static enum gs_status load_pass(struct gs_dataset *d, struct gs_arena *arena, uint32_t shard,
                                uint32_t n_shards, unsigned n_threads, bool strict,
                                struct gs_pass_plan *pass_plan, struct gs_err *err)
{
    struct gs_notes notes = {.arena = arena};
    const struct gs_load_options o = {
        .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true},
        .chunk_bytes = 5000,
        .strict_reader = strict,
        .shard = shard,
        .n_shards = n_shards,
        .pass_plan = pass_plan,
        .n_threads = n_threads};
    const char *const operand[] = {dir};
    const struct gs_map_request r = {.operand = operand, .n_operands = 1};
    return gs_run_load(&r, &o, false, arena, d, &notes, err);
}

static void load(struct gs_dataset *d, struct gs_arena *arena, uint32_t shard, uint32_t n_shards,
                 unsigned n_threads, bool strict)
{
    struct gs_err err = {0};
    assert_int_equal(load_pass(d, arena, shard, n_shards, n_threads, strict, NULL, &err), GS_OK);
}

/* Rows of a host's GPU or of a host, and the sum of one column over them. */
static uint64_t rows_of(const struct gs_dataset *d, enum gs_table_kind kind, uint32_t owner,
                        unsigned column, int64_t *sum)
{
    const struct gs_table *const t = &d->table[kind];
    for (uint32_t k = t->first[owner]; k < t->first[owner + 1]; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++)
            *sum += gs_segment_value(&t->segment[k], i, column) % 1000003;
    return gs_table_rows_of(t, owner);
}

static void the_shards_hold_every_row_once(void **state)
{
    (void)state;
    struct gs_arena whole_arena = {0};
    struct gs_dataset whole;
    load(&whole, &whole_arena, 0, 0, 2, false);
    assert_int_equal(whole.host.n, N_HOSTS);
    for (uint32_t n_shards = 1; n_shards <= 12; n_shards += n_shards < 4 ? 1 : 4)
        for (uint32_t shard = 0; shard < n_shards; shard++) {
            struct gs_arena arena = {0};
            struct gs_dataset d;
            uint64_t n_samples = 0, n_tasks = 0;
            load(&d, &arena, shard, n_shards, 1 + shard % 3, shard % 4 == 3);
            assert_int_equal(d.host.n, N_HOSTS);
            assert_int_equal(d.event.n, whole.event.n);
            for (uint32_t h = 0; h < N_HOSTS; h++) {
                int64_t sum[2][2] = {{0}};
                const bool own = gs_shard_of(d.host.text[h], n_shards) == shard;
                const uint64_t n[2] = {
                    rows_of(&d, GS_TABLE_SAMPLES, h, GS_SAMPLE_TIME, &sum[0][0]),
                    rows_of(&d, GS_TABLE_CHECKPOINTS, h, GS_CHECKPOINT_TIME, &sum[0][1])};
                const uint64_t all[2] = {
                    rows_of(&whole, GS_TABLE_SAMPLES, h, GS_SAMPLE_TIME, &sum[1][0]),
                    rows_of(&whole, GS_TABLE_CHECKPOINTS, h, GS_CHECKPOINT_TIME, &sum[1][1])};
                for (int k = 0; k < 2; k++) {
                    assert_int_equal(n[k], own ? all[k] : 0);
                    assert_int_equal(sum[0][k], own ? sum[1][k] : 0);
                }
                n_samples += n[0];
                n_tasks += own ? N_ROWS / 10 / N_HOSTS + 1 : 0;
            }
            assert_int_equal(d.table[GS_TABLE_SAMPLES].n_rows, n_samples);
            assert_in_range(d.task.n, 0,
                            n_tasks); /* those of other shards are not even remembered */
            for (size_t i = 0; i < d.n_inputs; i++)
                assert_int_equal(d.input[i].n_rows, N_ROWS); /* all were read */
            gs_arena_release(&arena);
        }
    gs_arena_release(&whole_arena);
}

/* The rows of a host are those of the whole run, or there are none. */
static void assert_kept(const struct gs_dataset *d, const struct gs_dataset *whole, uint32_t h,
                        bool own)
{
    static const struct {
        enum gs_table_kind kind;
        unsigned column;
    } of[] = {{GS_TABLE_SAMPLES, GS_SAMPLE_METRIC}, {GS_TABLE_CHECKPOINTS, GS_CHECKPOINT_TIME}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        int64_t sum = 0, expected = 0;
        const uint64_t n = rows_of(whole, of[k].kind, h, of[k].column, &expected);
        assert_int_equal(rows_of(d, of[k].kind, h, of[k].column, &sum), own ? n : 0);
        assert_int_equal(sum, own ? expected : 0);
    }
}

static void passes_with_a_survey_hold_every_row_once(void **state)
{
    (void)state;
    enum { N = 3 };
    struct gs_arena whole_arena = {0};
    struct gs_dataset whole;
    load(&whole, &whole_arena, 0, 0, 2, false);
    for (unsigned n_threads = 1; n_threads <= 3; n_threads++) {
        struct gs_arena learned = {0};
        struct gs_pass_plan pass_plan = {.arena = &learned, .seed = n_threads};
        struct gs_err err = {0};
        bool kept_once[N_HOSTS] = {false};
        for (unsigned pass = 0; pass < N; pass++) {
            struct gs_arena arena = {0};
            struct gs_dataset d;
            const struct gs_intern *const host = &pass_plan.pool[GS_POOL_HOST];
            for (uint32_t h = 0; h < host->n;
                 h++) /* what is not of the first shard, in two passes */
                pass_plan.of[h].pass =
                    gs_shard_of(host->text[h], N) == 0 ? GS_PASS_NEVER : 1 + h % 2;
            pass_plan.present = pass;
            assert_int_equal(load_pass(&d, &arena, 0, N, n_threads, false, &pass_plan, &err),
                             GS_OK);
            assert_int_equal(d.host.n, N_HOSTS); /* names are known that no row is kept of */
            assert_int_equal(d.event.n, whole.event.n);
            assert_int_equal(d.n_gpus, whole.n_gpus);
            for (size_t i = 0; i < d.n_inputs; i++)
                assert_int_equal(d.input[i].n_rows, N_ROWS);
            for (uint32_t h = 0; h < N_HOSTS; h++) {
                const bool own = pass == 0 ? gs_shard_of(d.host.text[h], N) == 0
                                           : gs_pass_plan_keeps(&pass_plan, d.host.text[h]);
                assert_false(own && kept_once[h]);
                kept_once[h] |= own;
                assert_kept(&d, &whole, h, own);
            }
            gs_arena_release(&arena);
        }
        for (uint32_t h = 0; h < N_HOSTS; h++)
            assert_true(kept_once[h]);
        gs_arena_release(&learned);
    }
    gs_arena_release(&whole_arena);
}

static void a_later_pass_wants_the_chunks_of_its_hosts(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_pass_plan pass_plan = {.arena = &arena};
    struct gs_err err = {0};
    struct gs_dataset d;
    assert_int_equal(load_pass(&d, &arena, 0, 2, 2, false, &pass_plan, &err), GS_OK);
    assert_true(pass_plan.skips);
    assert_in_range(pass_plan.n_chunks, 20, 200);
    bool *const wanted = gs_arena_take(&arena, pass_plan.n_chunks, sizeof *wanted);
    pass_plan.present = 1;
    pass_plan.of[0].pass = 1;
    pass_plan.of[0].reach[0] = (struct gs_reach){5, 2, 4};
    pass_plan.of[0].reach[1] = (struct gs_reach){0, 7, 9}; /* no rows: its chunks say nothing */
    pass_plan.chunk[6].is_faulty = true;
    gs_pass_plan_wanted(&pass_plan, wanted);
    for (size_t i = 0; i < pass_plan.n_chunks; i++)
        assert_int_equal(wanted[i], (i >= 2 && i <= 4) || i == 6);
    gs_arena_release(&arena);
}

/* Packed tables, a file of each for a host; what a pass does not need may be damaged behind its header. */
static void a_later_pass_reads_the_packed_files_of_its_hosts(void **state)
{
    (void)state;
    static const char script[] = "cd %s && mkdir packed && for t in gpu application-checkpoints; "
                                 "do for h in 0 1 2 3 4 5 6 7 8; do "
                                 "awk -F, -v h=h$h 'NR == 1 { print } { x = $2; gsub(/[ \"]/, "
                                 "\"\", x) } x == h { print }' $t.csv | gzip > "
                                 "packed/$t-$h.csv.gz; done; done";
    static const char damage[] =
        "cd %s/packed && cp -p gpu-%u.csv.gz old && n=$(stat -c %%s old) && "
        "head -c $((n - 50)) old > new && head -c 50 /dev/zero >> new && "
        "touch -r old new && mv new gpu-%u.csv.gz && rm old";
    char command[512], run[64];
    struct gs_arena arena = {0};
    struct gs_pass_plan pass_plan = {.arena = &arena};
    struct gs_err err = {0};
    struct gs_dataset d, whole;
    load(&whole, &arena, 0, 0, 2, false);
    (void)snprintf(command, sizeof command, script, dir);
    assert_int_equal(system(command), 0);
    strcpy(run, dir);
    strcat(dir, "/packed");
    assert_int_equal(load_pass(&d, &arena, 0, 2, 2, false, &pass_plan, &err), GS_OK);
    pass_plan.present = 1;
    for (uint32_t h = 0; h < N_HOSTS; h++)
        pass_plan.of[h].pass =
            gs_str_eq(pass_plan.pool[GS_POOL_HOST].text[h], gs_str("h3")) ? 1 : GS_PASS_NEVER;
    (void)snprintf(command, sizeof command, damage, run, 5u, 5u);
    assert_int_equal(system(command), 0);
    assert_int_equal(load_pass(&d, &arena, 0, 2, 2, false, &pass_plan, &err), GS_OK);
    for (uint32_t h = 0; h < N_HOSTS; h++)
        assert_kept(&d, &whole, h, gs_str_eq(d.host.text[h], gs_str("h3")));
    (void)snprintf(command, sizeof command, damage, run, 3u, 3u);
    assert_int_equal(system(command), 0);
    assert_int_equal(load_pass(&d, &arena, 0, 2, 2, false, &pass_plan, &err), GS_ERR_DATA);
    strcpy(dir, run);
    gs_arena_release(&arena);
}

static void a_filter_never_says_no_to_its_names(void **state)
{
    (void)state;
    enum { N = 5000 };
    struct gs_arena arena = {0};
    struct gs_intern pool[2] = {{.arena = &arena, .seed = 1}, {.arena = &arena, .seed = 2}};
    const struct gs_intern *const all[] = {&pool[0], &pool[1]};
    struct gs_name_filter f;
    unsigned n_wrong = 0;
    char name[32];
    for (int i = 0; i < N; i++) {
        snprintf(name, sizeof name, "t%d", i);
        assert_int_not_equal(gs_intern_add(&pool[i % 2], gs_str(name)), GS_INTERN_NONE);
    }
    assert_true(gs_name_filter_init(&f, all, 2, 7, &arena));
    for (int i = 0; i < 2 * N; i++) {
        snprintf(name, sizeof name, "t%d", i);
        if (i < N)
            assert_true(gs_name_filter_has(&f, gs_str(name)));
        else
            n_wrong += gs_name_filter_has(&f, gs_str(name));
    }
    assert_in_range(n_wrong, 0, N / 10);
    gs_arena_release(&arena);
}

static void a_file_that_changes_between_passes_is_refused(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_pass_plan pass_plan = {.arena = &arena};
    struct gs_err err = {0};
    struct gs_dataset d;
    char path[128];
    assert_int_equal(load_pass(&d, &arena, 0, 2, 1, false, &pass_plan, &err), GS_OK);
    snprintf(path, sizeof path, "%s/gpu.csv", dir);
    FILE *const f = fopen(path, "a");
    assert_non_null(f);
    sample(f, 1);
    assert_int_equal(fclose(f), 0);
    pass_plan.present = 1;
    assert_int_equal(load_pass(&d, &arena, 0, 2, 1, false, &pass_plan, &err), GS_ERR_DATA);
    assert_non_null(strstr(err.text, "gpu.csv: was changed while it was read in several passes"));
    gs_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shards_hold_every_row_once),
        cmocka_unit_test(passes_with_a_survey_hold_every_row_once),
        cmocka_unit_test(a_later_pass_wants_the_chunks_of_its_hosts),
        cmocka_unit_test(a_later_pass_reads_the_packed_files_of_its_hosts),
        cmocka_unit_test(a_filter_never_says_no_to_its_names),
        cmocka_unit_test(
            a_file_that_changes_between_passes_is_refused), /* the last: it changes the run */
    };
    return cmocka_run_group_tests(tests, make_run, remove_run);
}
