/* test_small_runs.c - bias, timeline and tiles of runs that are small enough to be worked out by hand. */
#define _GNU_SOURCE
#include "run_fixture.h"

#include <math.h>

#include "analysis/schedule/schedule.h"
#include "analysis/events/bias.h"
#include "analysis/events/durations.h"
#include "analysis/events/events.h"
#include "analysis/gpus/tiles.h"
#include "analysis/gpus/timeline.h"

#define ANY_GAP (100 * GS_NS_PER_S)

struct loaded {
    struct gs_arena arena;
    struct gs_dataset d;
    struct gs_frames out;
    struct gs_err err;
};

static void load(struct loaded *l, const char *checkpoints, const char *samples, const char *tasks)
{
    const struct run_texts texts = {{[GS_TABLE_CHECKPOINTS] = checkpoints,
                                     [GS_TABLE_SAMPLES] = samples,
                                     [GS_TABLE_TASKS] = tasks}};
    memset(l, 0, sizeof *l);
    l->out.notes.arena = &l->arena;
    if (run_load(&texts, &(struct run_options){0}, &l->arena, &l->d, &l->out.notes, &l->err) !=
        GS_OK)
        fail_msg("%s", l->err.text);
    /* Readings of an instant: the delay makes up for times that look cut to seconds. */
    static const struct gs_sensor_spec still = {1,           0,           GS_NS_PER_S / 2,
                                                (double)NAN, (double)NAN, (double)NAN};
    l->d.sensor = &still;
}

static const struct gs_frame *run(struct loaded *l, const struct gs_fold *fold, const void *options)
{
    if (fold_frames(&l->d, fold, options, 2, &l->arena, &l->out, NULL, &l->err) != GS_OK)
        fail_msg("%s", l->err.text);
    return l->out.last;
}

/* A cell as CSV has it, against what it should be. */
static void expect(const struct gs_frame *f, size_t row, const char *column, const char *want)
{
    char room[GS_REAL_TEXT_MAX];
    const int c = gs_frame_find(f, column);
    assert_true(c >= 0 && row < f->n_rows);
    const struct gs_str got = gs_frame_cell(f, row, (size_t)c, room);
    if (!gs_str_eq(got, gs_str(want)))
        fail_msg("row %zu, %s: %.*s, not %s", row, column, (int)got.len, got.ptr, want);
}

/* 10 W at the ends of E and 50 W inside; F lies between two samples. */
static const char bias_checkpoints[] = CHECKPOINT_HEADER "0,a,E,START,j,t\n4,a,E,STOP,j,t\n"
                                                         "1.2,a,F,START,j,t\n1.4,a,F,STOP,j,t\n";
static const char bias_samples[] =
    SAMPLE_HEADER "0,a,1,G,10,40,0,0\n1,a,1,G,50,50,100,10\n2,a,1,G,50,50,100,10\n"
                  "3,a,1,G,50,50,100,10\n4,a,1,G,10,40,0,0\n";

static void bias_is_nearest_minus_window(void **state)
{
    (void)state;
    struct loaded l;
    load(&l, bias_checkpoints, bias_samples, NULL);
    const struct gs_frame *const f =
        run(&l, &gs_bias_fold, &(struct gs_join_options){.tolerance_ns = -1});
    assert_int_equal(f->n_rows, 2);
    expect(f, 0, "event", "E");
    expect(f, 0, "n", "1");
    expect(f, 0, "no_sample_pct", "0");
    expect(f, 0, "power_nearest_w", "10");
    expect(f, 0, "power_window_w", "34"); /* (10 + 50 + 50 + 50 + 10) / 5 */
    expect(f, 0, "power_bias_w", "-24");
    expect(f, 0, "gpu_util_window_pct", "60");
    expect(f, 1, "event", "F");
    expect(f, 1, "n_sampled", "0");
    expect(f, 1, "no_sample_pct", "100");
    expect(f, 1, "power_nearest_w", "50");
    expect(f, 1, "power_window_w", "");
    expect(f, 1, "power_bias_w", "");
    assert_non_null(strstr(f->title, "hides 71 % of the power")); /* 24 of 34 W */
    gs_arena_release(&l.arena);
}

static void an_instant_between_two_steps_belongs_to_the_later(void **state)
{
    (void)state;
    static const struct {
        const char *active, *started, *finished, *energy, *fleet, *power, *samples;
    } want[] = {
        {"0.5", "1", "0", "30", "15", "10", "1"}, /* from 10 W to 20 W over 2 s        */
        {"1", "0", "0", "40", "20", "20", "1"},
        {"0.5", "0", "1", "", "", "20", "1"}, /* no power is known after the last sample */
    };
    const struct gs_timeline_options o = {
        .every_ns = 2 * GS_NS_PER_S, .max_gap_ns = ANY_GAP, .event = "E", .cells = true};
    struct loaded l;
    load(&l, CHECKPOINT_HEADER "1,a,E,START,j,t\n5,a,E,STOP,j,t\n",
         SAMPLE_HEADER "0,a,1,G,10,40,0,0\n2,a,1,G,20,41,0,0\n4,a,1,G,20,40,0,0\n", NULL);
    const struct gs_frame *const f = run(&l, &gs_timeline_fold, &o);
    assert_int_equal(f->n_rows, COUNT_OF(want));
    for (size_t k = 0; k < COUNT_OF(want); k++) {
        assert_true(f->columns[0].integer[k] == 2 * (int64_t)k * GS_NS_PER_S);
        expect(f, k, "active_tasks", want[k].active);
        expect(f, k, "started_tasks", want[k].started);
        expect(f, k, "finished_tasks", want[k].finished);
        expect(f, k, "energy_j", want[k].energy);
        expect(f, k, "fleet_power_w", want[k].fleet);
        expect(f, k, "power_mean_w", want[k].power);
        expect(f, k, "samples", want[k].samples);
    }
    expect(f, 1, "temp_max_c", "41");
    assert_string_equal(f->title, "The run over time: 1 task finished, 70.00 J");
    gs_arena_release(&l.arena);
}

/* Two GPUs at 300 W, polled each second: the first step has 0.5 s more of the log, and one comes and goes. */
static void a_step_has_no_power_above_its_readings(void **state)
{
    (void)state;
    const struct gs_timeline_options o = {
        .every_ns = 10 * GS_NS_PER_S, .max_gap_ns = ANY_GAP, .event = NULL, .cells = false};
    struct loaded l;
    load(&l, CHECKPOINT_HEADER "5,a,E,START,j,t\n25,a,E,STOP,j,t\n",
         SAMPLE_HEADER "0.5,a,1,G,300,40,0,0\n1.5,a,1,G,300,40,0,0\n2.5,a,1,G,300,40,0,0\n"
                       "11.5,a,1,G,300,40,0,0\n15.5,a,1,G,300,40,0,0\n28.5,a,1,G,300,40,0,0\n"
                       "5.5,b,2,H,300,40,0,0\n6.5,b,2,H,300,40,0,0\n8.5,b,2,H,300,40,0,0\n",
         NULL);
    const struct gs_frame *const f = run(&l, &gs_timeline_fold, &o);
    static const struct {
        const char *fleet, *gpus, *energy;
    } want[] = {{"390", "1.3",
                 "3900"}, /* 10 s and 3 s of the 10 s that end 0.5 s earlier than their readings */
                {"300", "1", "3000"},
                {"300", "1", "2400"}};
    assert_int_equal(f->n_rows, COUNT_OF(want));
    for (size_t k = 0; k < COUNT_OF(want); k++) {
        expect(f, k, "fleet_power_w", want[k].fleet);
        expect(f, k, "gpus_seen", want[k].gpus);
        expect(f, k, "energy_j", want[k].energy);
    }
    gs_arena_release(&l.arena);
}

/* A task fills steps in which nothing begins or ends, on hosts that end before. */
static void steps_between_the_ends_of_a_task_are_there(void **state)
{
    (void)state;
    const struct gs_timeline_options o = {
        .every_ns = GS_NS_PER_S, .max_gap_ns = ANY_GAP, .event = "E", .cells = false};
    struct loaded l;
    load(&l, CHECKPOINT_HEADER "0.5,a,E,START,j,t\n4.25,a,E,STOP,j,t\n",
         SAMPLE_HEADER "0,b,1,G,10,40,0,0\n1,b,1,G,10,40,0,0\n", NULL);
    const struct gs_frame *const f = run(&l, &gs_timeline_fold, &o);
    static const char *const active[] = {"0.5", "1", "1", "1", "0.25"};
    assert_int_equal(f->n_rows, COUNT_OF(active));
    for (size_t k = 0; k < COUNT_OF(active); k++) {
        expect(f, k, "active_tasks", active[k]);
        expect(f, k, "gpus_seen", k == 0 ? "1" : "0");
    }
    gs_arena_release(&l.arena);
}

static void steps_too_many_are_refused(void **state)
{
    (void)state;
    const struct gs_timeline_options o = {
        .every_ns = GS_NS_PER_MS, .max_gap_ns = ANY_GAP, .event = "E", .cells = false};
    struct loaded l;
    load(&l, CHECKPOINT_HEADER "0,a,E,START,j,t\n2000,a,E,STOP,j,t\n",
         SAMPLE_HEADER "0,a,1,G,10,40,0,0\n", NULL);
    assert_int_equal(fold_frames(&l.d, &gs_timeline_fold, &o, 1, &l.arena, &l.out, NULL, &l.err),
                     GS_ERR_USAGE);
    assert_string_equal(l.err.text,
                        "--every: steps of 0.001 s are more than 1000000: the run spans 2000 s; "
                        "type --every 3ms or longer, or see 'check' for its times");
    assert_null(l.out.first);
    gs_arena_release(&l.arena);
}

/* 12,000 s are 188 cells of 64 s, the finest of which there are fewer than 240. */
static void a_map_of_the_fleet_has_mean_power_in_cells(void **state)
{
    (void)state;
    static const struct {
        const char *gpu, *rank, *power;
        int64_t begin_s;
    } want[] = {{"b", "0", "5", 0}, {"a", "1", "10", 0}, {"a", "1", "20", 64}};
    const struct gs_timeline_options o = {
        .every_ns = 600 * GS_NS_PER_S, .max_gap_ns = ANY_GAP, .event = "E", .cells = true};
    struct gs_fleet_map map;
    struct loaded l;
    load(&l, CHECKPOINT_HEADER "0,a,E,START,j,t\n12000,a,E,STOP,j,t\n",
         SAMPLE_HEADER "0,a,1,G,10,40,0,0\n64,a,1,G,10,40,0,0\n128,a,1,G,30,40,0,0\n"
                       "0,b,2,H,5,40,0,0\n64,b,2,H,5,40,0,0\n12000,b,2,H,900,40,0,0\n",
         NULL);
    assert_int_equal(fold_frames(&l.d, &gs_timeline_fold, &o, 2, &l.arena, &l.out, &map, &l.err),
                     GS_OK);
    assert_int_equal(map.n_gpus, 2);
    assert_int_equal(map.per_line, 1);
    assert_true(map.width_ns == 64 * GS_NS_PER_S);
    assert_int_equal(map.frame->n_rows, COUNT_OF(want));
    for (size_t k = 0; k < COUNT_OF(want); k++) {
        assert_true(map.frame->columns[0].integer[k] == want[k].begin_s * GS_NS_PER_S);
        expect(map.frame, k, "gpu", want[k].gpu);
        expect(map.frame, k, "rank", want[k].rank);
        expect(map.frame, k, "power_mean_w", want[k].power);
    }
    gs_arena_release(&l.arena);
}

/* The gap of 20 ms is shorter than a thousandth of 40 s; a runs dry first. */
static void busy_stretches_end_where_a_worker_has_finished(void **state)
{
    (void)state;
    static const struct {
        const char *worker, *state;
        int64_t from_s, to_s;
    } want[] = {{"a", "working", 0, 20},
                {"a", "working", 25, 30},
                {"a", "finished", 30, 40},
                {"b", "working", 0, 40},
                {"b", "finished", 40, 40}};
    const struct gs_schedule_options o = {"E", false, true};
    struct gs_schedule_frames frames;
    struct loaded l;
    load(&l,
         CHECKPOINT_HEADER
         "0,a,E,START,j,1\n10,a,E,STOP,j,1\n10.02,a,E,START,j,2\n20,a,E,STOP,j,2\n"
         "25,a,E,START,j,3\n30,a,E,STOP,j,3\n0,b,E,START,j,4\n40,b,E,STOP,j,4\n",
         SAMPLE_HEADER "0,a,1,G,10,40,0,0\n", NULL);
    assert_int_equal(fold_frames(&l.d, &gs_schedule_fold, &o, 2, &l.arena, &l.out, &frames, &l.err),
                     GS_OK);
    assert_int_equal(frames.busy->n_rows, COUNT_OF(want));
    for (size_t k = 0; k < COUNT_OF(want); k++) {
        expect(frames.busy, k, "worker", want[k].worker);
        expect(frames.busy, k, "state", want[k].state);
        assert_true(frames.busy->columns[1].integer[k] == want[k].from_s * GS_NS_PER_S);
        assert_true(frames.busy->columns[2].integer[k] == want[k].to_s * GS_NS_PER_S);
    }
    gs_arena_release(&l.arena);
}

/*
 * Six pairs of 1 s and six of 9 s fall into the first and the last of 128 parts: sd 63.5 parts, bandwidth
 * 0.9 * 63.5 / 12^(1/5), kernel 1 - (x / (sqrt(5) * bandwidth))^2.
 */
static void a_shape_is_the_density_of_the_durations(void **state)
{
    (void)state;
    const struct gs_events_options o = {{.tolerance_ns = -1}, NULL};
    const double reach = sqrt(5) * 0.9 * 63.5 / pow(12, 0.2);
    struct gs_durations durations;
    struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    struct loaded l;
    gs_buf_text(&b, CHECKPOINT_HEADER);
    for (int i = 0; i < 12; i++)
        gs_buf_format(&b, "%d,a,E,START,j,%d\n%d,a,E,STOP,j,%d\n", 20 * i, i,
                      20 * i + (i % 2 == 0 ? 1 : 9), i);
    load(&l, b.ptr, SAMPLE_HEADER "0,a,1,G,10,40,0,0\n", NULL);
    assert_int_equal(
        fold_frames(&l.d, &gs_events_fold, &o, 2, &l.arena, &l.out, &durations, &l.err), GS_OK);
    assert_false(durations.shapes_in_ratios);
    const struct gs_column *const at = &durations.shapes->columns[1], *const width =
                                                                          &durations.shapes
                                                                               ->columns[2];
    assert_int_equal(durations.shapes->n_rows, 128);
    for (size_t k = 0; k < 128; k++) {
        const double near = (double)k / reach, far = (127 - (double)k) / reach;
        const double density = fmax(1 - near * near, 0) + fmax(1 - far * far, 0);
        assert_true(fabs(at->real[k] - (1000 + 8000 * ((double)k + 0.5) / 128)) < 1e-3);
        assert_true(fabs(width->real[k] - density) < 1e-3);
    }
    gs_arena_release(&arena);
    gs_arena_release(&l.arena);
}

/* Tile (0, 0) is rendered twice, second on b, which has no samples; (1, 1) never. Level 8 has fewer tasks. */
static const char tile_checkpoints[] =
    CHECKPOINT_HEADER "0,a,E,START,j,t1\n2,a,E,STOP,j,t1\n2,a,E,START,j,t2\n5,a,E,STOP,j,t2\n6,b,E,"
                      "START,j,t1\n10,b,E,STOP,j,t1\n"
                      "0,b,E,START,j,t4\n1,b,E,STOP,j,t4\n";
static const char tile_samples[] = SAMPLE_HEADER "0,a,1,G,10,40,0,0\n6,a,1,G,10,40,0,0\n";
static const char tile_tasks[] = TASK_HEADER "t1,j,0,0,4\nt2,j,1,0,4\nt3,j,1,1,4\nt4,j,0,0,8\n";

static void expect_tiles(struct loaded *l, enum gs_tile_value value, const char *column,
                         const char *const want[3])
{
    const struct gs_tiles_options o = {value, GS_MISSING, "E", ANY_GAP, 0};
    const struct gs_frame *const f = run(l, &gs_tiles_fold, &o);
    static const char *const x[] = {"0", "1", "1"}, *const y[] = {"0", "0", "1"},
                             *const n[] = {"2", "1", "0"};
    assert_int_equal(f->n_rows, 3);
    for (size_t k = 0; k < 3; k++) {
        expect(f, k, "x", x[k]);
        expect(f, k, "y", y[k]);
        expect(f, k, "n", n[k]);
        expect(f, k, column, want[k]);
    }
}

static void a_tile_has_what_its_pairs_took(void **state)
{
    (void)state;
    static const char *const duration[] = {"3000", "3000", ""}, *const energy[] = {"20", "30", ""},
                             *const power[] = {"10", "10", ""}, *const host[] = {"a", "a", ""};
    struct loaded l;
    load(&l, tile_checkpoints, tile_samples, tile_tasks);
    expect_tiles(&l, GS_TILE_DURATION, "duration_ms", duration);
    assert_string_equal(l.out.last->title,
                        "Level 4: 3 tiles, 1 of them never rendered; duration from 3.0 s to 3.0 s");
    expect_tiles(&l, GS_TILE_ENERGY, "energy_j", energy); /* of the pair that has one */
    expect_tiles(&l, GS_TILE_POWER, "power_mean_w", power);
    expect_tiles(&l, GS_TILE_HOST, "hostname", host); /* the first */
    gs_arena_release(&l.arena);
}

static void a_level_without_tasks_is_named_with_those_there_are(void **state)
{
    (void)state;
    const struct gs_tiles_options o = {GS_TILE_DURATION, 5, "E", ANY_GAP, 0};
    struct loaded l;
    load(&l, tile_checkpoints, tile_samples, tile_tasks);
    assert_int_equal(fold_frames(&l.d, &gs_tiles_fold, &o, 1, &l.arena, &l.out, NULL, &l.err),
                     GS_ERR_USAGE);
    assert_string_equal(l.err.text, "--level: no tasks at level 5; the task table has 4, 8");
    gs_arena_release(&l.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bias_is_nearest_minus_window),
        cmocka_unit_test(an_instant_between_two_steps_belongs_to_the_later),
        cmocka_unit_test(a_step_has_no_power_above_its_readings),
        cmocka_unit_test(steps_between_the_ends_of_a_task_are_there),
        cmocka_unit_test(steps_too_many_are_refused),
        cmocka_unit_test(a_map_of_the_fleet_has_mean_power_in_cells),
        cmocka_unit_test(busy_stretches_end_where_a_worker_has_finished),
        cmocka_unit_test(a_shape_is_the_density_of_the_durations),
        cmocka_unit_test(a_tile_has_what_its_pairs_took),
        cmocka_unit_test(a_level_without_tasks_is_named_with_those_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
