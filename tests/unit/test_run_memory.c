/* test_run_memory.c - the analyses of a run when memory runs out, and on runs that have nothing to say. */
#define _GNU_SOURCE
#include "run_fixture.h"

#include "analysis/gpus/balance.h"
#include "analysis/events/bias.h"
#include "input/import/run_load.h"
#include "analysis/schedule/schedule.h"
#include "analysis/gpus/stragglers.h"
#include "analysis/gpus/tiles.h"
#include "analysis/gpus/timeline.h"

static const char samples_header[] =
    "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n";
static const char checkpoints_header[] = "timestamp,hostname,eventName,eventType,jobId,taskId\n";
static const char tasks_header[] = "taskId,jobId,x,y,level\n";

static char directory[64];

static void put(const char *name, const char *header, const char *rows)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *const f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(header, f) >= 0 && fputs(rows, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* Two hosts with unlike GPUs, three tasks. */
static void put_small_run(void)
{
    char rows[8192] = "";
    size_t n = 0;
    for (int h = 0; h < 2; h++)
        for (int i = 0; i < 20; i++)
            n += (size_t)snprintf(rows + n, sizeof rows - n,
                                  "2018-11-08T07:41:%02d.000Z,h%d,0%d,G%d,%d.5,%d,%d,%d\n", 2 * i,
                                  h, h, h, 40 + i + h, 30 + i, 60 + 4 * h, 30 + 5 * h);
    put("gpu.csv", samples_header, rows);
    put("application-checkpoints.csv", checkpoints_header,
        "2018-11-08T07:41:01Z,h0,TotalRender,START,j,t1\n2018-11-08T07:41:09Z,h0,TotalRender,STOP,"
        "j,t1\n"
        "2018-11-08T07:41:11Z,h0,TotalRender,START,j,t2\n2018-11-08T07:41:18Z,h0,TotalRender,STOP,"
        "j,t2\n"
        "2018-11-08T07:41:02Z,h1,TotalRender,START,j,t3\n2018-11-08T07:41:14Z,h1,TotalRender,STOP,"
        "j,t3\n"
        "2018-11-08T07:41:03Z,h0,Render,START,j,t1\n2018-11-08T07:41:05Z,h0,Render,STOP,j,t1\n");
    put("task-x-y.csv", tasks_header,
        "t1,j,0,0,12\nt2,j,1,0,12\nt3,j,0,1,12\nt4,j,1,1,12\nt5,j,0,0,8\n");
}

static void load(struct gs_dataset *d, struct gs_arena *arena, struct gs_frames *out)
{
    const struct gs_load_options o = {.need = {true, true, true}, .n_threads = 2, .seed = 7};
    struct gs_err err = {0};
    *out = (struct gs_frames){.notes = {.arena = arena}};
    const char *const operand[] = {directory};
    const struct gs_map_request r = {.operand = operand, .n_operands = 1, .seed = 7};
    if (gs_run_load(&r, &o, false, arena, d, &out->notes, &err) != GS_OK)
        fail_msg("%s", err.text);
}

typedef enum gs_status analysis_fn(const struct gs_dataset *d, struct gs_arena *arena,
                                   struct gs_frames *out, struct gs_err *err);

static enum gs_status balance(const struct gs_dataset *d, struct gs_arena *arena,
                              struct gs_frames *out, struct gs_err *err)
{
    return gs_fold_frames(
        d, &gs_balance_fold,
        (struct gs_finish){.options = &(struct gs_balance_options){3000000000, GS_BALANCE_LEVEL},
                           .n_threads = 2,
                           .arena = arena},
        out, err);
}

static enum gs_status balance_by_gpu(const struct gs_dataset *d, struct gs_arena *arena,
                                     struct gs_frames *out, struct gs_err *err)
{
    return gs_fold_frames(
        d, &gs_balance_fold,
        (struct gs_finish){.options = &(struct gs_balance_options){3000000000, GS_BALANCE_GPU},
                           .n_threads = 2,
                           .arena = arena},
        out, err);
}

static enum gs_status bias(const struct gs_dataset *d, struct gs_arena *arena,
                           struct gs_frames *out, struct gs_err *err)
{
    const struct gs_join_options nearest = {.tolerance_ns = -1};
    struct gs_bias_frames frames;
    return gs_fold_frames(
        d, &gs_bias_fold,
        (struct gs_finish){.options = &nearest, .n_threads = 2, .arena = arena, .also = &frames},
        out, err);
}

static enum gs_status timeline(const struct gs_dataset *d, struct gs_arena *arena,
                               struct gs_frames *out, struct gs_err *err)
{
    const struct gs_timeline_options o = {
        .every_ns = 3000000000, .max_gap_ns = 3000000000, .event = "TotalRender", .cells = true};
    return gs_fold_frames(d, &gs_timeline_fold,
                          (struct gs_finish){.options = &o, .n_threads = 2, .arena = arena}, out,
                          err);
}

static enum gs_status schedule(const struct gs_dataset *d, struct gs_arena *arena,
                               struct gs_frames *out, struct gs_err *err)
{
    struct gs_schedule_frames frames;
    return gs_fold_frames(
        d, &gs_schedule_fold,
        (struct gs_finish){.options = &(struct gs_schedule_options){"TotalRender", false, true},
                           .n_threads = 2,
                           .arena = arena,
                           .also = &frames},
        out, err);
}

static enum gs_status tiles(const struct gs_dataset *d, struct gs_arena *arena,
                            struct gs_frames *out, struct gs_err *err)
{
    const struct gs_tiles_options o = {GS_TILE_CLUSTER, GS_MISSING, "TotalRender", 0, 2};
    return gs_fold_frames(d, &gs_tiles_fold,
                          (struct gs_finish){.options = &o, .n_threads = 2, .arena = arena}, out,
                          err);
}

static enum gs_status stragglers(const struct gs_dataset *d, struct gs_arena *arena,
                                 struct gs_frames *out, struct gs_err *err)
{
    const struct gs_stragglers_options o = {
        .profile = {.event = "TotalRender", .hot = 80000000, .keep_tasks = true, .loads = true},
        .least = 0.03,
        .fdr = 0.05,
        .all = true};
    struct gs_frame *all;
    return gs_fold_frames(
        d, &gs_stragglers_fold,
        (struct gs_finish){.options = &o, .n_threads = 2, .arena = arena, .also = &all}, out, err);
}

static enum gs_status interval(const struct gs_dataset *d, struct gs_arena *arena,
                               struct gs_frames *out, struct gs_err *err)
{
    int64_t ns;
    (void)arena, (void)out;
    return gs_sampling_interval(d, 2, &ns, err);
}

static analysis_fn *const analyses[] = {balance,  balance_by_gpu, bias,       timeline,
                                        schedule, tiles,          stragglers, interval};
enum { N_ANALYSES = sizeof analyses / sizeof *analyses };

static void every_allocation_may_fail(void **state)
{
    (void)state;
    put_small_run();
    for (size_t k = 0; k < N_ANALYSES; k++) {
        struct gs_arena arena = {0};
        struct gs_frames out;
        struct gs_dataset d;
        enum gs_status s = GS_ERR_MEMORY;
        unsigned n = 0;
        load(&d, &arena, &out);
        while (s == GS_ERR_MEMORY && n < 200) {
            struct gs_arena own = {0}; /* what the analysis keeps; asks for memory of its own */
            gs_memory_fail_after(++n);
            out = (struct gs_frames){.notes = {.arena = &own}};
            s = analyses[k](&d, &own, &out, NULL);
            gs_memory_fail_after(0);
            gs_arena_release(&own);
        }
        assert_int_equal(s, GS_OK);
        assert_true(n > 1);
        gs_arena_release(&arena);
    }
}

/* Headers alone, or samples that never were: a table without rows or an error that says why, never a crash. */
static void a_run_without_rows_has_an_answer(void **state)
{
    (void)state;
    static const char *const points[] = {
        CHECKPOINT_HEADER, CHECKPOINT_HEADER
        "2018-11-08T07:41:01Z,h0,TotalRender,START,j,t1\n2018-11-08T07:41:09Z,h0,TotalRender,STOP,"
        "j,t1\n"};
    for (size_t i = 0; i < 2; i++) {
        const struct run_texts texts = {{[GS_TABLE_CHECKPOINTS] = points[i],
                                         [GS_TABLE_SAMPLES] = SAMPLE_HEADER,
                                         [GS_TABLE_TASKS] = TASK_HEADER}};
        for (size_t k = 0; k < N_ANALYSES; k++) {
            struct gs_arena arena = {0};
            struct gs_frames out = {0};
            struct gs_dataset d;
            struct gs_err err = {0};
            const struct run_options o = {.n_threads = 2, .seed = 7};
            assert_int_equal(run_load(&texts, &o, &arena, &d, &out.notes, &err), GS_OK);
            const enum gs_status s = analyses[k](&d, &arena, &out, &err);
            assert_true(s == GS_OK || s == GS_ERR_DATA || s == GS_ERR_USAGE);
            assert_int_equal(s != GS_OK, err.text[0] != '\0');
            gs_arena_release(&arena);
        }
    }
}

static int make_directory(void **state)
{
    (void)state;
    (void)snprintf(directory, sizeof directory, "/tmp/gpustat-run-XXXXXX");
    return mkdtemp(directory) == NULL ? -1 : 0;
}

static int remove_directory(void **state)
{
    static const char *const names[] = {"gpu.csv", "application-checkpoints.csv", "task-x-y.csv"};
    char path[128];
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        (void)snprintf(path, sizeof path, "%s/%s", directory, names[k]);
        (void)remove(path);
    }
    return rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_run_without_rows_has_an_answer),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
