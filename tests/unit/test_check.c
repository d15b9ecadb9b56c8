/* test_check.c - every finding once by hand, with its count and line; then on random runs for any order and threads. */
#define _GNU_SOURCE
#include "run_fixture.h"

#include "analysis/check/check.h"

static struct gs_arena arena;
static struct gs_frame *found;
static struct gs_accepted accepted;

static int forget(void **state)
{
    (void)state;
    gs_arena_release(&arena);
    accepted = (struct gs_accepted){{false}};
    return 0;
}

static enum gs_status check_with(const char *checkpoints, const char *samples, const char *tasks,
                                 const struct run_options *o)
{
    struct gs_dataset d;
    struct gs_frames out = {.notes.arena = &arena};
    struct gs_err err = {0};
    const struct run_texts texts = {{[GS_TABLE_CHECKPOINTS] = checkpoints,
                                     [GS_TABLE_SAMPLES] = samples,
                                     [GS_TABLE_TASKS] = tasks}};
    if (run_load(&texts, o, &arena, &d, &out.notes, &err) != GS_OK)
        fail_msg("%s", err.text);
    const enum gs_status s =
        fold_frames(&d, &gs_check_fold, &accepted, o->n_threads == 0 ? 1 : o->n_threads, &arena,
                    &out, NULL, &err);
    if (s != GS_OK && s != GS_FINDINGS)
        fail_msg("%s", err.text);
    found = out.first;
    return s;
}

static enum gs_status check(const char *checkpoints, const char *samples, const char *tasks)
{
    return check_with(checkpoints, samples, tasks, &(struct run_options){.places = true});
}

static int64_t row_of(const char *finding)
{
    for (size_t r = 0; r < found->n_rows; r++)
        if (gs_str_eq(found->columns[1].text[r], gs_str(finding)))
            return (int64_t)r;
    return -1;
}

static void expect_none(const char *finding)
{
    if (row_of(finding) >= 0)
        fail_msg("'%s' was found", finding);
}

/* The line is that of first_place; 0: it names none. */
static void expect(const char *severity, const char *finding, int64_t count, unsigned long line)
{
    const int64_t r = row_of(finding);
    if (r < 0)
        fail_msg("'%s' was not found", finding);
    assert_true(gs_str_eq(found->columns[0].text[r], gs_str(severity)));
    assert_int_equal(found->columns[2].integer[r], count);
    const struct gs_str place = found->columns[3].text[r];
    const char *const colon = place.ptr == NULL ? NULL : strrchr(place.ptr, ':');
    assert_int_equal(colon == NULL ? 0 : strtoul(colon + 1, NULL, 10), line);
    assert_true(found->columns[4].text[r].len > 10);
}

#define CHECKPOINTS(rows) CHECKPOINT_HEADER rows
#define SAMPLES(rows)     SAMPLE_HEADER rows
#define TASKS(rows)       TASK_HEADER rows

static const char good_checkpoints[] =
    CHECKPOINTS("10,a,TotalRender,START,j,t\n20,a,TotalRender,STOP,j,t\n");
static const char good_samples[] =
    SAMPLES("9,a,01,G1,30,40,5,6\n15,a,01,G1,31,41,50,6\n21,a,01,G1,32,42,5,6\n");
static const char good_tasks[] = TASKS("t,j,0,0,4\n");

static void good_data_give_information_only(void **state)
{
    (void)state;
    assert_int_equal(check(good_checkpoints, good_samples, good_tasks), GS_OK);
    assert_int_equal(found->n_rows, 2);
    expect("info", "sampling intervals", 2, 3);
    expect("info", "tiles of level 4", 1, 2);
    assert_int_equal(check(good_checkpoints, good_samples, NULL), GS_OK);
    assert_int_equal(found->n_rows, 1);
}

static void tables_without_rows_give_nothing(void **state)
{
    (void)state;
    assert_int_equal(check(CHECKPOINTS(""), SAMPLES(""), TASKS("")), GS_OK);
    assert_int_equal(found->n_rows, 0);
}

static void duplicates_are_placed_at_the_second_row(void **state)
{
    (void)state;
    assert_int_equal(check(CHECKPOINTS("20,a,E,STOP,j,t\n10,a,E,START,j,t\n20,a,E,STOP,j,t\n10,a,E,"
                                       "START,j,t\n20,a,E,STOP,j,t\n"),
                           SAMPLES("9,a,01,G1,1,2,3,4\n30,a,01,G1,1,2,3,4\n9,a,01,G1,1,2,3,5\n30,a,"
                                   "01,G1,1,2,3,4\n9,a,01,G1,1,2,3,4\n"),
                           TASKS("t,j,0,0,4\nt,j,0,0,4\nt,j,0,0,4\n")),
                     GS_FINDINGS);
    expect("warning", "duplicate event rows", 3, 4);
    expect("warning", "duplicate sample rows", 1,
           5); /* readings that differ at 9 s are all readings */
    expect("warning", "duplicate task rows", 2, 3);
    expect_none("tasks with several tiles");
    expect("warning", "STOP without START: E", 1,
           6); /* of equal rows those first in the file pair */
}

static void orphans_are_counted_per_event(void **state)
{
    (void)state;
    assert_int_equal(check(CHECKPOINTS("10,a,E,START,j,t\n11,a,F,STOP,j,t\n12,a,E,START,j,u\n15,a,"
                                       "E,STOP,j,t\n16,a,\"x\ny\",START,j,t\n"),
                           good_samples, NULL),
                     GS_FINDINGS);
    expect("warning", "START without STOP: E", 1, 4);
    expect("warning", "STOP without START: F", 1, 3);
    expect("warning", "START without STOP: x\\ny", 1, 6);
    expect_none("STOP without START: E");
}

static void a_stop_before_its_start_has_no_partner(void **state)
{
    (void)state;
    assert_int_equal(check(CHECKPOINTS("20,a,E,START,j,t\n12,a,E,STOP,j,t\n"), good_samples, NULL),
                     GS_FINDINGS);
    expect("warning", "STOP without START: E", 1, 3);
    expect("warning", "START without STOP: E", 1, 2);
}

static void the_row_without_a_partner_is_named(void **state)
{
    (void)state;
    /* a crashed try, a doubled START, a stray STOP at the beginning: none of them moves the partners of the others */
    assert_int_equal(check(CHECKPOINTS("10,a,E,START,j,t\n20,a,E,START,j,t\n25,a,E,STOP,j,t\n"),
                           good_samples, NULL),
                     GS_FINDINGS);
    expect("warning", "START without STOP: E", 1, 2);
    assert_int_equal(check(CHECKPOINTS("10,a,E,START,j,t\n15,a,E,STOP,j,t\n20,a,E,START,j,t\n20,a,"
                                       "E,START,j,t\n25,a,E,STOP,j,t\n"),
                           good_samples, NULL),
                     GS_FINDINGS);
    expect("warning", "START without STOP: E", 1, 5);
    assert_int_equal(check(CHECKPOINTS("10,a,E,STOP,j,t\n12,a,E,START,j,t\n15,a,E,STOP,j,t\n20,a,E,"
                                       "START,j,t\n25,a,E,STOP,j,t\n"),
                           good_samples, NULL),
                     GS_FINDINGS);
    expect("warning", "STOP without START: E", 1, 2);
    expect_none("START without STOP: E");
}

static void hosts_are_missed_on_either_side(void **state)
{
    (void)state;
    assert_int_equal(
        check(CHECKPOINTS("10,a,E,START,j,t\n20,a,E,STOP,j,t\n21,b,E,STOP,j,u\n10,b,E,START,j,u\n"),
              SAMPLES(
                  "9,a,01,G1,1,2,3,4\n9,c,02,G2,1,2,3,4\n21,a,01,G1,1,2,3,4\n5,c,02,G2,1,2,3,4\n"),
              NULL),
        GS_FINDINGS);
    expect("warning", "hosts without samples", 1, 4);
    expect("info", "hosts without events", 1, 3);
    expect_none("starts and stops outside the sampled time");
}

static void checkpoints_outside_the_sampled_time_are_counted(void **state)
{
    (void)state;
    assert_int_equal(
        check(CHECKPOINTS(
                  "10,a,E,START,j,t\n28,a,E,STOP,j,t\n9,a,F,START,j,t\n27,a,F,STOP,j,t\n2,a,G,"
                  "START,j,t\n3,a,G,STOP,j,t\n"),
              good_samples, NULL),
        GS_FINDINGS);
    expect("warning", "starts and stops outside the sampled time", 2, 3);
}

static void gaps_are_longer_than_three_intervals(void **state)
{
    (void)state;
    assert_int_equal(check(good_checkpoints,
                           SAMPLES("26,a,01,G1,1,2,3,4\n0,a,01,G1,1,2,3,4\n2,a,01,G1,1,2,3,4\n4,a,"
                                   "01,G1,1,2,3,4\n10,a,01,G1,1,2,3,4\n"
                                   "12,a,01,G1,1,2,3,4\n18.1,a,01,G1,1,2,3,4\n20,a,01,G1,1,2,3,"
                                   "4\n22,a,01,G1,1,2,3,4\n24,a,01,G1,1,2,"
                                   "3,4\n"),
                           NULL),
                     GS_FINDINGS);
    expect("warning", "gaps between samples", 1, 8); /* 12 to 18.1; 4 to 10 is exactly three */
    expect("info", "sampling intervals", 9, 8);
    const struct gs_str hint = found->columns[4].text[row_of("sampling intervals")];
    assert_true(gs_str_eq(hint, gs_str("median 2 s; the longest, 6.1 s, ends at the place named")));
}

static void readings_must_be_possible_and_there(void **state)
{
    (void)state;
    assert_int_equal(
        check(
            good_checkpoints,
            SAMPLES("9,a,01,G1,0,160,0,100\n15,a,01,G1,-0.01,-60,100,0\n16,a,01,G1,,161,100.1,-1\n"
                    "17,a,01,G1,N/A,40,50,101\n21,a,01,G1,99,40,50,\n"),
            NULL),
        GS_FINDINGS);
    expect("error", "impossible power readings", 1, 3);
    expect("error", "impossible temperature readings", 1, 4);
    expect("error", "impossible GPU utilisation readings", 1, 4);
    expect("error", "impossible memory utilisation readings", 2, 4);
    expect("warning", "missing power readings", 2, 4);
    expect("warning", "missing memory utilisation readings", 1, 6);
    expect_none("missing temperature readings");
}

static void several_gpus_are_no_finding_against_a_host(void **state)
{
    (void)state;
    static const char two[] =
        SAMPLES("9,a,01,G1,1,2,3,4\n9,a,02,G2,1,2,3,4\n21,a,02,G2,1,2,3,4\n21,a,01,G1,1,2,3,4\n");
    assert_int_equal(check(good_checkpoints, two, NULL), GS_OK);
    expect_none("hosts with several GPUs");
    assert_int_equal(check("timestamp,hostname,eventName,eventType,jobId,taskId,gpuUUID\n10,a,E,"
                           "START,j,t,G2\n20,a,E,STOP,j,t,G2\n",
                           two, NULL),
                     GS_OK);
    expect_none("hosts with several GPUs");
    assert_int_equal(
        check("timestamp,hostname,eventName,eventType,jobId,taskId,gpu\n10,a,E,START,j,t,1\n20,a,E,"
              "STOP,j,t,1\n"
              "10,a,E,START,j,u,2\n20,a,E,STOP,j,u,2\n10,a,E,START,j,v,\n20,a,E,STOP,j,v,\n",
              two, NULL),
        GS_FINDINGS);
    expect("warning", "starts and stops that name an unknown GPU", 4,
           2); /* neither is a UUID or a serial: order is no name */
}

static void tasks_are_compared_both_ways(void **state)
{
    (void)state;
    assert_int_equal(
        check(CHECKPOINTS(
                  "10,a,E,START,j,t\n20,a,E,STOP,j,t\n12,a,E,START,k,t\n13,a,E,STOP,k,t\n12,a,F,"
                  "START,,\n13,a,F,STOP,,\n"),
              good_samples, TASKS("t,j,0,0,4\nu,j,1,0,4\nv,j,2,0,4\nv,j,2,0,4\n")),
        GS_FINDINGS);
    expect("warning", "tasks that are not in the task table", 1,
           4); /* checkpoints without a task are no task's */
    expect("warning", "tasks without events", 2, 3);
}

static void a_task_has_one_host_and_one_tile(void **state)
{
    (void)state;
    assert_int_equal(
        check(CHECKPOINTS(
                  "30,b,E,START,j,t\n31,b,E,STOP,j,t\n10,a,E,START,j,t\n20,a,E,STOP,j,t\n10,c,E,"
                  "START,j,t\n20,c,E,STOP,j,t\n"
                  "10,a,E,START,j,u\n20,a,E,STOP,j,u\n"),
              SAMPLES("9,a,01,G1,1,2,3,4\n21,a,01,G1,1,2,3,4\n29,b,02,G2,1,2,3,4\n32,b,02,G2,1,2,3,"
                      "4\n9,c,"
                      "03,G3,1,2,3,4\n21,c,03,G3,1,2,3,4\n"),
              TASKS("t,j,0,0,4\nu,j,1,0,4\nt,j,0,0,4\nt,j,1,0,4\n")),
        GS_FINDINGS);
    expect("warning", "tasks on several hosts", 1, 4);
    expect("error", "tasks with several tiles", 1, 5);
    expect("warning", "duplicate task rows", 1, 4);
    expect("warning", "tiles given to several tasks", 1, 5);
}

static void tiles_must_fill_their_grid(void **state)
{
    (void)state;
    assert_int_equal(
        check(CHECKPOINTS(""), SAMPLES(""),
              TASKS("a,j,5,-1,8\nb,j,6,-1,8\nc,j,7,-1,8\nd,j,7,0,8\ne,j,5,0,8\nf,j,0,0,4\ng,j,-"
                    "9000000000000,0,9\nh,j,9000000000000,9000000000000,9\n")),
        GS_FINDINGS);
    expect("info", "tiles of level 4", 1, 7);
    expect("warning", "missing tiles of level 8", 1, 2);
    assert_true(gs_str_eq(found->columns[4].text[row_of("missing tiles of level 8")],
                          gs_str("5 of 3 x 2 are there; the first that is not is x 6, y 0")));
    expect("warning", "missing tiles of level 9", INT64_MAX, 8);
}

static void the_last_tile_of_a_level_may_be_the_missing_one(void **state)
{
    (void)state;
    assert_int_equal(
        check(CHECKPOINTS(""), SAMPLES(""), TASKS("a,j,15,6,8\nb,j,16,6,8\nc,j,15,7,8\n")),
        GS_FINDINGS);
    expect("warning", "missing tiles of level 8", 1, 2);
    assert_true(gs_str_eq(found->columns[4].text[row_of("missing tiles of level 8")],
                          gs_str("3 of 2 x 2 are there; the first that is not is x 16, y 7")));
}

static void every_id_is_one_kind_in_kebab_case(void **state)
{
    (void)state;
    for (int k = 0; k < GS_N_FINDINGS; k++) {
        const char *const id = gs_finding_id((enum gs_finding)k);
        enum gs_finding back;
        assert_non_null(id);
        assert_int_equal(strspn(id, "abcdefghijklmnopqrstuvwxyz-"), strlen(id));
        assert_true(gs_finding_of_id(gs_str(id), &back));
        assert_int_equal(back, k);
    }
    enum gs_finding none;
    assert_false(gs_finding_of_id(gs_str("missing-tile"), &none));
    assert_false(gs_finding_of_id(gs_str(""), &none));
}

static void what_is_accepted_is_no_reason_to_complain(void **state)
{
    (void)state;
    static const char checkpoints[] =
        CHECKPOINTS("10,a,E,START,j,t\n20,a,E,STOP,j,t\n20,a,E,STOP,j,t\n");
    assert_int_equal(check(checkpoints, good_samples, NULL), GS_FINDINGS);
    expect("warning", "STOP without START: E", 1, 4);
    accepted.kind[GS_FINDING_STOP_WITHOUT_START] = true;
    accepted.kind[GS_FINDING_SAMPLING_INTERVALS] = true;
    assert_int_equal(check(checkpoints, good_samples, NULL), GS_FINDINGS);
    expect("accepted", "STOP without START: E", 1, 4);
    expect("info", "sampling intervals", 2, 3); /* nothing to accept */
    accepted.kind[GS_FINDING_DUPLICATE_CHECKPOINTS] = true;
    assert_int_equal(check(checkpoints, good_samples, NULL), GS_OK);
    expect("accepted", "duplicate event rows", 1, 4);
    const int id = gs_frame_find(found, "id");
    assert_int_equal(id, found->n_columns - 1);
    assert_true(gs_str_eq(found->columns[id].text[row_of("duplicate event rows")],
                          gs_str("duplicate-checkpoints")));
}

static void duplicates_that_were_dropped_are_information(void **state)
{
    (void)state;
    assert_int_equal(
        check_with(CHECKPOINTS("10,a,E,START,j,t\n20,a,E,STOP,j,t\n20,a,E,STOP,j,t\n"),
                   SAMPLES("9,a,01,G1,1,2,3,4\n21,a,01,G1,1,2,3,4\n9,a,01,G1,1,2,3,4\n"), NULL,
                   &(struct run_options){.places = true, .drop = true}),
        GS_OK);
    expect("info", "duplicate event rows", 1, 4);
    expect("info", "duplicate sample rows", 1, 4);
}

static void times_without_a_zone_are_mentioned(void **state)
{
    (void)state;
    assert_int_equal(
        check(
            CHECKPOINTS("2018-11-08 07:41:30,a,E,START,j,t\n2018-11-08 07:41:31,a,E,STOP,j,t\n"),
            SAMPLES("2018-11-08T07:41:29Z,a,01,G1,1,2,3,4\n2018-11-08T07:41:35Z,a,01,G1,1,2,3,4\n"),
            NULL),
        GS_OK);
    expect("info", "times without a zone", 1, 0);
}

/* A GPU's series of n samples, one a second: power, temperature and utilisations as functions of i. */
static const char *series(size_t n, int64_t power(size_t), int64_t temp(size_t),
                          int64_t util(size_t), int64_t memory(size_t))
{
    struct gs_buf b = {.arena = &arena};
    gs_buf_text(&b, SAMPLE_HEADER);
    for (size_t i = 0; i < n; i++)
        gs_buf_format(&b, "%zu,a,01,G1,%lld.%02lld,%lld,%lld,%lld\n", i, (long long)power(i) / 100,
                      (long long)power(i) % 100, (long long)temp(i), (long long)util(i),
                      (long long)memory(i));
    assert_false(b.failed);
    return b.ptr;
}

static int64_t moving_power(size_t i)
{
    return 10000 + (int64_t)(i * 7919 % 5000);
}
static int64_t idle_power(size_t i)
{
    (void)i;
    return 2698;
}
static int64_t stuck_power(size_t i)
{
    return i >= 20 && i < 60 ? 11111 : moving_power(i);
}
static int64_t brief_power(size_t i)
{
    return i >= 20 && i < 45 ? 11111 : moving_power(i);
}
static int64_t stepped_power(size_t i)
{
    return 10000 + (int64_t)(i / 12 * 7919 % 5000);
}
static int64_t stepped_and_stuck_power(size_t i)
{
    return i >= 20 && i < 68 ? 11111 : 10000 + (int64_t)(i / 4 * 7919 % 5000);
}
static int64_t moving_temp(size_t i)
{
    return 40 + (int64_t)(i % 30);
}
static int64_t constant(size_t i)
{
    (void)i;
    return 40;
}
static int64_t zero(size_t i)
{
    (void)i;
    return 0;
}
static int64_t hundred(size_t i)
{
    (void)i;
    return 100;
}
static int64_t moving_util(size_t i)
{
    return i % 10 < 5 ? 0 : 92;
}

static void a_sensor_is_stuck_only_where_others_move(void **state)
{
    (void)state;
    static const struct {
        int64_t (*power)(size_t), (*temp)(size_t), (*util)(size_t), (*memory)(size_t);
        const char *finding;
        unsigned long line;
    } cases[] = {
        {moving_power, moving_temp, moving_util, moving_util, NULL, 0},
        {stuck_power, moving_temp, moving_util, moving_util, "stuck power sensors", 22},
        {brief_power, moving_temp, moving_util, moving_util, NULL, 0}, /* 25 in a row may happen */
        {stepped_power, moving_temp, moving_util, moving_util, NULL,
         0}, /* a slow sensor is not a stuck one */
        {stepped_and_stuck_power, moving_temp, moving_util, moving_util, "stuck power sensors",
         22},                                        /* 48 where the others' mean is 4 */
        {idle_power, constant, zero, zero, NULL, 0}, /* an idle GPU may be constant */
        {idle_power, constant, moving_util, moving_util, "stuck power sensors", 2},
        {moving_power, constant, moving_util, moving_util, "stuck temperature sensors", 2},
        {idle_power, constant, moving_util, zero, "stuck power sensors",
         2}, /* and no stuck memory utilisation */
        {moving_power, moving_temp, hundred, moving_util, NULL, 0}, /* busy all the time */
        {moving_power, moving_temp, moving_util, constant, "stuck memory utilisation", 2},
        {moving_power, moving_temp, moving_util, zero, NULL,
         0}, /* a kernel that stays in its caches */
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        static const char *const all[] = {"stuck power sensors", "stuck temperature sensors",
                                          "stuck GPU utilisation", "stuck memory utilisation"};
        (void)check(CHECKPOINTS("10,a,E,START,j,t\n20,a,E,STOP,j,t\n"),
                    series(200, cases[k].power, cases[k].temp, cases[k].util, cases[k].memory),
                    NULL);
        for (size_t i = 0; i < COUNT_OF(all); i++)
            if (cases[k].finding == NULL || strcmp(all[i], cases[k].finding) != 0)
                expect_none(all[i]);
        if (cases[k].finding != NULL)
            expect("warning", cases[k].finding, 1, cases[k].line);
    }
}

static int64_t wide_power(size_t i)
{
    return 5000 + (int64_t)(i % 10) * 1000;
}

static void a_utilisation_that_ignores_the_load_is_stuck(void **state)
{
    (void)state;
    (void)check(CHECKPOINTS(""), series(59, wide_power, moving_temp, constant, zero), NULL);
    expect_none("stuck GPU utilisation"); /* too few samples to say */
    (void)check(CHECKPOINTS(""), series(60, wide_power, moving_temp, constant, zero), NULL);
    expect("warning", "stuck GPU utilisation", 1, 2);
}

/* The frame as one text, without the paths' numbers. */
static const char *frame_text(void)
{
    struct gs_buf b = {.arena = &arena};
    for (size_t r = 0; r < found->n_rows; r++) {
        const char *const colon = found->columns[3].text[r].ptr == NULL
                                      ? ""
                                      : strrchr(found->columns[3].text[r].ptr, ':');
        gs_buf_format(&b, "%s|%s|%lld|%s|%s\n", found->columns[0].text[r].ptr,
                      found->columns[1].text[r].ptr, (long long)found->columns[2].integer[r], colon,
                      found->columns[4].text[r].ptr);
    }
    assert_false(b.failed);
    return b.ptr == NULL ? "" : b.ptr;
}

static void random_runs_give_the_same_findings_on_any_threads(void **state)
{
    (void)state;
    static struct random_run run;
    for (int round = 0; round < 100; round++) {
        random_run_draw(&run);
        random_run_write(&run);
        const char *first = NULL;
        static const struct run_options ways[] = {
            {.n_threads = 1, .places = true},
            {.n_threads = 2, .places = true, .chunk_bytes = 200},
            {.n_threads = 7, .places = true, .chunk_bytes = 64, .seed = 99},
            {.n_threads = 3, .places = true, .strict = true, .seed = 5}};
        for (size_t w = 0; w < COUNT_OF(ways); w++) {
            (void)check_with(run.text[GS_TABLE_CHECKPOINTS], run.text[GS_TABLE_SAMPLES],
                             run.text[GS_TABLE_TASKS], &ways[w]);
            const char *const text = frame_text();
            if (first != NULL)
                assert_string_equal(text, first);
            first = text;
        }
        /* The counts and places of duplicates by looking at every two rows. */
        int64_t n = 0;
        unsigned long line = 0;
        for (size_t i = 0; i < run.n_checkpoints; i++)
            for (size_t k = 0; k < i; k++) {
                const struct run_checkpoint *const a = &run.checkpoint[i], *const b =
                                                                               &run.checkpoint[k];
                if (a->t_ms == b->t_ms && a->host == b->host && a->event == b->event &&
                    a->job == b->job && a->task == b->task && a->is_stop == b->is_stop) {
                    n++;
                    line = line == 0 ? i + 2 : line;
                    break;
                }
            }
        if (n > 0)
            expect("warning", "duplicate event rows", n, line);
        else
            expect_none("duplicate event rows");
        gs_arena_release(&arena);
    }
    random_run_free(&run);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(good_data_give_information_only, forget),
        cmocka_unit_test_teardown(tables_without_rows_give_nothing, forget),
        cmocka_unit_test_teardown(duplicates_are_placed_at_the_second_row, forget),
        cmocka_unit_test_teardown(orphans_are_counted_per_event, forget),
        cmocka_unit_test_teardown(a_stop_before_its_start_has_no_partner, forget),
        cmocka_unit_test_teardown(the_row_without_a_partner_is_named, forget),
        cmocka_unit_test_teardown(hosts_are_missed_on_either_side, forget),
        cmocka_unit_test_teardown(checkpoints_outside_the_sampled_time_are_counted, forget),
        cmocka_unit_test_teardown(gaps_are_longer_than_three_intervals, forget),
        cmocka_unit_test_teardown(readings_must_be_possible_and_there, forget),
        cmocka_unit_test_teardown(several_gpus_are_no_finding_against_a_host, forget),
        cmocka_unit_test_teardown(tasks_are_compared_both_ways, forget),
        cmocka_unit_test_teardown(a_task_has_one_host_and_one_tile, forget),
        cmocka_unit_test_teardown(tiles_must_fill_their_grid, forget),
        cmocka_unit_test_teardown(the_last_tile_of_a_level_may_be_the_missing_one, forget),
        cmocka_unit_test(every_id_is_one_kind_in_kebab_case),
        cmocka_unit_test_teardown(what_is_accepted_is_no_reason_to_complain, forget),
        cmocka_unit_test_teardown(duplicates_that_were_dropped_are_information, forget),
        cmocka_unit_test_teardown(times_without_a_zone_are_mentioned, forget),
        cmocka_unit_test_teardown(a_sensor_is_stuck_only_where_others_move, forget),
        cmocka_unit_test_teardown(a_utilisation_that_ignores_the_load_is_stuck, forget),
        cmocka_unit_test_teardown(random_runs_give_the_same_findings_on_any_threads, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
