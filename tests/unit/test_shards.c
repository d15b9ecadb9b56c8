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

#include "base/shard.h"
#include "read/load.h"

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
    fprintf(f,
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
    write_table("gpu.csv", "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc",
                sample);
    write_table("application-checkpoints.csv", "timestamp,hostname,eventName,eventType,jobId,taskId", checkpoint);
    return 0;
}

static int remove_run(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", dir);
    return system(command);
}

static void load(struct gs_dataset *d, struct gs_arena *arena, uint32_t shard, uint32_t n_shards, unsigned n_threads,
                 bool strict)
{
    struct gs_err err = {0};
    struct gs_notes notes = {.arena = arena};
    const struct gs_load_options o = {.dir = dir,
                                      .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true},
                                      .chunk_bytes = 5000,
                                      .strict_reader = strict,
                                      .shard = shard,
                                      .n_shards = n_shards,
                                      .n_threads = n_threads};
    assert_int_equal(gs_load(&o, arena, d, &notes, &err), GS_OK);
}

/* Rows of a host's GPU or of a host, and the sum of one column over them. */
static uint64_t rows_of(const struct gs_dataset *d, enum gs_table_kind kind, uint32_t owner, unsigned column,
                        int64_t *sum)
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
                const uint64_t n[2] = {rows_of(&d, GS_TABLE_SAMPLES, h, GS_SAMPLE_TIME, &sum[0][0]),
                                       rows_of(&d, GS_TABLE_CHECKPOINTS, h, GS_CHECKPOINT_TIME, &sum[0][1])};
                const uint64_t all[2] = {rows_of(&whole, GS_TABLE_SAMPLES, h, GS_SAMPLE_TIME, &sum[1][0]),
                                         rows_of(&whole, GS_TABLE_CHECKPOINTS, h, GS_CHECKPOINT_TIME, &sum[1][1])};
                for (int k = 0; k < 2; k++) {
                    assert_int_equal(n[k], own ? all[k] : 0);
                    assert_int_equal(sum[0][k], own ? sum[1][k] : 0);
                }
                n_samples += n[0];
                n_tasks += own ? N_ROWS / 10 / N_HOSTS + 1 : 0;
            }
            assert_int_equal(d.table[GS_TABLE_SAMPLES].n_rows, n_samples);
            assert_in_range(d.task.n, 0, n_tasks); /* those of other shards are not even remembered */
            for (size_t i = 0; i < d.n_inputs; i++)
                assert_int_equal(d.input[i].n_rows, N_ROWS); /* all were read */
            gs_arena_release(&arena);
        }
    gs_arena_release(&whole_arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shards_hold_every_row_once),
    };
    return cmocka_run_group_tests(tests, make_run, remove_run);
}
