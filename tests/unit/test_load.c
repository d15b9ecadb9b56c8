/* test_load.c - which files are a run, what their headers and rows may say, and the exact words where they may not. */
#define _GNU_SOURCE
#include "run_fixture.h"

#include <sys/stat.h>

#include "input/bytes/bytes.h"
#include "input/import/run_load.h"

static char home[] = "/tmp/gpustat-test-XXXXXX";
/* An instant of 2024, by its last second. */
#define AT(second) "2024-05-01T12:00:0" #second "Z"

static struct gs_arena arena;
static struct gs_dataset d;
static struct gs_notes notes;
static struct gs_err err;

static int enter(void **state)
{
    (void)state;
    memcpy(home + sizeof home - 7, "XXXXXX", 6);
    return mkdtemp(home) == NULL || chdir(home) != 0;
}

static int leave(void **state)
{
    (void)state;
    gs_arena_release(&arena);
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", home);
    return chdir("/") != 0 || system(command) != 0;
}

static void put(const char *name, const char *text)
{
    FILE *const f = fopen(name, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* What the run is: a directory, or files named for a role. */
static const char *operand = ".", *const *named;
static enum gs_role named_role;
static size_t n_named;

static enum gs_status load(const struct gs_load_options *o)
{
    struct gs_map_request r = {.operand = &operand, .n_operands = operand == NULL ? 0 : 1};
    r.path[named_role] = named;
    r.n_paths[named_role] = n_named;
    notes = (struct gs_notes){.arena = &arena};
    memset(&err, 0, sizeof err);
    d = (struct gs_dataset){0};
    return gs_run_load(&r, o, o->zone_told, &arena, &d, &notes, &err);
}

static const bool samples_only[GS_N_TABLES] = {[GS_TABLE_SAMPLES] = true};

static enum gs_status load_dir(const bool need[GS_N_TABLES])
{
    struct gs_load_options o = {.n_threads = 2, .places = true};
    memcpy(o.need, need, sizeof o.need);
    return load(&o);
}

/* Loads one text as the samples. */
static enum gs_status load_samples(const char *text)
{
    put("gpu.csv", text);
    return load_dir(samples_only);
}

static void files_are_found_by_name_in_order(void **state)
{
    (void)state;
    put("gpu-10.csv", SAMPLE_HEADER AT(2) ",a,1,G,1,1,1,1\n");
    put("gpu-2.csv", SAMPLE_HEADER AT(1) ",a,1,G,1,1,1,1\n" AT(3) ",a,1,G,1,1,1,1\n");
    put("gpux.csv", "no table");
    put("gpu.csv.bak", "no table");
    put("agpu.csv", "no table");
    put("gpu-x.csv", "no table");
    assert_int_equal(load_dir(samples_only), GS_OK);
    assert_int_equal(d.n_inputs, 2);
    assert_string_equal(d.input[0].path, "./gpu-10.csv");
    assert_int_equal(d.input[0].n_rows, 1);
    assert_string_equal(d.input[1].path, "./gpu-2.csv");
    assert_int_equal(d.table[GS_TABLE_SAMPLES].n_rows, 3);
    put("application_checkpoints.csv", CHECKPOINT_HEADER AT(1) ",a,E,START,j,t\n");
    put("task_x_y.csv", TASK_HEADER "t,j,1,1,4\n");
    assert_int_equal(load_dir((const bool[]){true, true, true}), GS_OK);
    assert_int_equal(d.n_inputs, 4);
}

static void places_name_file_and_line(void **state)
{
    (void)state;
    put("gpu-1.csv", SAMPLE_HEADER "1,a,1,G,1,1,1,1\n");
    put("gpu-2.csv",
        SAMPLE_HEADER "\n2,\"a\",1,G,1,1,1,1\n3,\"a\n\",1,G,1,1,1,1\n4,a,1,G,1,1,1,1\n");
    assert_int_equal(load_dir(samples_only), GS_OK);
    static const char *const want[] = {"./gpu-1.csv:2", "./gpu-2.csv:3", "./gpu-2.csv:4",
                                       "./gpu-2.csv:6"};
    const struct gs_table *const t = &d.table[GS_TABLE_SAMPLES];
    size_t n = 0;
    for (uint32_t k = 0; k < t->n_segments; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++, n++) {
            const int64_t second =
                gs_segment_value(&t->segment[k], i, GS_SAMPLE_TIME) / GS_NS_PER_S;
            assert_string_equal(
                place_text(&d, gs_segment_value(&t->segment[k], i, gs_sample_place(d.n_metrics)),
                           &arena),
                want[second - 1]);
        }
    assert_int_equal(n, 4);
    assert_string_equal(place_text(&d, GS_MISSING, &arena), "");
    assert_string_equal(place_text(&d, gs_place(9, 0, 1), &arena), "");
}

static void a_table_that_is_not_there_is_named(void **state)
{
    (void)state;
    assert_int_equal(load_dir(samples_only), GS_ERR_NOINPUT);
    assert_string_equal(err.text, ".: no files there (--samples FILE names one)");
    struct gs_load_options o = {.n_threads = 1, .need = {true}};
    operand = "missing";
    assert_int_equal(load(&o), GS_ERR_NOINPUT);
    assert_string_equal(err.text, "missing: No such file or directory");
    put("a-file", "");
    operand = "a-file";
    assert_int_equal(load(&o), GS_ERR_DATA);
    assert_string_equal(err.text, "a-file: is empty");
    operand = ".";
}

static void an_optional_table_may_be_absent(void **state)
{
    (void)state;
    struct gs_load_options o = {
        .n_threads = 2, .need = {false, true, true}, .optional = {[GS_TABLE_TASKS] = true}};
    put("gpu.csv", SAMPLE_HEADER "1,a,1,G,1,1,1,1\n");
    assert_int_equal(load(&o), GS_OK);
    assert_int_equal(d.table[GS_TABLE_TASKS].n_columns, 0);
    assert_int_equal(gs_dataset_task_row(&d, 0, 0), GS_NONE);
    put("task-x-y.csv", TASK_HEADER); /* without rows it is as good as absent, where it may be */
    assert_int_equal(load(&o), GS_OK);
    assert_int_equal(d.table[GS_TABLE_TASKS].n_columns, 0);
    o.optional[GS_TABLE_TASKS] = false;
    assert_int_equal(load(&o), GS_ERR_DATA);
    assert_string_equal(
        err.text, "./task-x-y.csv: has no rows, only a header; tasks were expected by its name");
    put("task-x-y.csv", TASK_HEADER "t,j,1,1,4\n");
    assert_int_equal(load(&o), GS_OK);
    assert_true(d.table[GS_TABLE_TASKS].n_columns > 0);
}

static void a_table_plain_and_packed_is_refused(void **state)
{
    (void)state;
    put("gpu.csv", SAMPLE_HEADER);
    put("gpu.csv.gz", SAMPLE_HEADER);
    assert_int_equal(load_dir(samples_only), GS_ERR_DATA);
    assert_string_equal(
        err.text,
        "./gpu.csv.gz: stands beside ./gpu.csv, expected one of them; name it with --gpu");
}

static void a_directory_in_place_of_a_file_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkdir("gpu.csv", 0700), 0);
    assert_int_equal(load_dir(samples_only), GS_ERR_NOINPUT);
    assert_string_equal(err.text, ".: no files there (--samples FILE names one)");
}

static void columns_are_bound_by_name(void **state)
{
    (void)state;
    assert_int_equal(
        load_samples("x,gpuTempC,gpuMemUtilPerc,hostname,\"powerDrawWatt\",gpuUtilPerc,timestamp\n"
                     "junk,1,2,a,3,4,5\n"),
        GS_OK);
    const struct gs_segment *const s = &d.table[GS_TABLE_SAMPLES].segment[0];
    assert_int_equal(gs_segment_value(s, 0, GS_SAMPLE_TIME), 5 * GS_NS_PER_S);
    assert_int_equal(gs_segment_value(s, 0, GS_SAMPLE_METRIC + GS_TEMP), 1 * GS_FIXED_ONE);
    assert_int_equal(gs_segment_value(s, 0, GS_SAMPLE_METRIC + GS_MEM_UTIL), 2 * GS_FIXED_ONE);
    assert_int_equal(gs_segment_value(s, 0, GS_SAMPLE_METRIC + GS_POWER), 3 * GS_FIXED_ONE);
    assert_int_equal(gs_segment_value(s, 0, GS_SAMPLE_METRIC + GS_GPU_UTIL), 4 * GS_FIXED_ONE);
    assert_int_equal(d.n_gpus, 1);
    assert_null(d.gpu[0].serial.ptr); /* no such column: missing, not empty */
    assert_null(d.gpu[0].uuid.ptr);
}

static void what_is_wrong_is_said_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"", "./gpu.csv: is empty; samples were expected by its name"},
        {"\xef\xbb\xbf\n",
         "./gpu.csv: begins with nothing but blanks; samples were expected by its name"},
        {"a,b\n1,2\n", "./gpu.csv: no known column names; found a, b; samples were expected by its "
                       "name"},
        {"timestamp,timestamp,hostname\n1,2,3\n",
         "./gpu.csv: no known column names; found timestamp, timestamp (2), hostname; samples were "
         "expected by its name"},
        {SAMPLE_HEADER "1,a,1,G,1,1,1\n1,a,1,G,1,1,1,1\n", "./gpu.csv:2: 7 fields, expected 8"},
        {SAMPLE_HEADER "1,a,1,G,1,1,1,1\n1,a,1,G,1,1,1,1,1\n", "./gpu.csv:3: 9 fields, expected 8"},
        {SAMPLE_HEADER "1,a,1,G,1,1,1,1\n\n\"1\",\"a\",1,G,\"N/A?\",1,1,1\n",
         "./gpu.csv:4: powerDrawWatt: 'N/A?' is not a number"},
        {SAMPLE_HEADER "yesterday,a,1,G,1,1,1,1\n",
         "./gpu.csv:2: timestamp: 'yesterday' is not a time; its form can be said with --set "
         "'samples.time.unit=YYYY-MM-DD hh:mm:ss', by YYYY, MM, Mon, DD, hh, mm, ss, AM and what "
         "stands between"},
        {SAMPLE_HEADER "1,a,1,G,1e300,1,1,1\n",
         "./gpu.csv:2: powerDrawWatt: '1e300' is not a number within 9,000,000,000,000"},
        {SAMPLE_HEADER "1,a,1,G,\"1\001\033[31m\",1,1,1\n",
         "./gpu.csv:2: powerDrawWatt: '1\\x01' is not a number"},
        {SAMPLE_HEADER "1,a,1,G,\"?\033\",1,1,1\n",
         "./gpu.csv:2: powerDrawWatt: '?' is not a number"},
        {SAMPLE_HEADER "1,\"a,1,G,1,1,1,1\n1,a,1,G,1,1,1,1\n",
         "./gpu.csv:2: a quote is opened and never closed; samples were expected by its name"},
        {SAMPLE_HEADER "1,a\"b,1,G,1,1,1,1\n", "./gpu.csv:2: a quote in the wrong place, expected "
                                               "quotes around a whole field and doubled inside; "
                                               "samples were expected by its name"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(load_samples(cases[i].text), GS_ERR_DATA);
        assert_string_equal(err.text, cases[i].said);
    }
}

static void event_types_are_start_and_stop(void **state)
{
    (void)state;
    put("application-checkpoints.csv", CHECKPOINT_HEADER "1,a,E,start,j,t\n2,a,E,stop,j,t\n");
    assert_int_equal(load_dir((const bool[]){true, false, false}), GS_OK);
    assert_int_equal(d.table[GS_TABLE_CHECKPOINTS].n_rows, 2);
    assert_int_equal(gs_table_value(&d.table[GS_TABLE_CHECKPOINTS], 0, GS_CHECKPOINT_IS_STOP), 0);
    /* of a run that was cut short none may have ended yet */
    put("application-checkpoints.csv", CHECKPOINT_HEADER "1,a,E,START,j,t\n");
    assert_int_equal(load_dir((const bool[]){true, false, false}), GS_OK);
    assert_int_equal(d.table[GS_TABLE_CHECKPOINTS].n_rows, 1);
    put("application-checkpoints.csv", CHECKPOINT_HEADER "1,a,E,pause,j,t\n");
    assert_int_equal(load_dir((const bool[]){true, false, false}), GS_ERR_DATA);
    assert_string_equal(err.text,
                        "./application-checkpoints.csv: no known column names; found "
                        "timestamp, hostname, eventName, eventType, jobId, taskId; events "
                        "were expected by its name");
    /* x, y and level are numbers where they are whole, else attributes as any other */
    put("task-x-y.csv", TASK_HEADER "t,j,0.5,1,4\n");
    assert_int_equal(load_dir((const bool[]){false, false, true}), GS_OK);
    assert_int_equal(gs_table_value(&d.table[GS_TABLE_TASKS], 0, GS_TASK_X), GS_MISSING);
    assert_int_equal(gs_table_value(&d.table[GS_TABLE_TASKS], 0, GS_TASK_LEVEL), 4);
}

struct rejected {
    struct gs_buf text;
};

static enum gs_status reject(void *context, const struct gs_reject *row, struct gs_err *e)
{
    struct rejected *const r = context;
    (void)e;
    gs_buf_format(&r->text, "%s:%llu: %s: %.*s\n", row->name, (unsigned long long)row->line,
                  row->reason, (int)row->raw.len, row->raw.ptr);
    return GS_OK;
}

static void rejected_rows_are_set_aside_as_they_were(void **state)
{
    (void)state;
    put("gpu.csv", SAMPLE_HEADER "1,a,1,G,x,1,1,1\n2,a,1,G,1,1,1,1\n\"3\",a, 1 "
                                 ",G,1,1\n4,a,1,G,1,1,1,\"y\"\n5,b,1,H,,1,1,1\n");
    for (unsigned n_threads = 1; n_threads < 3; n_threads++) {
        struct rejected r = {{.arena = &arena}};
        struct gs_load_options o = {.n_threads = n_threads, .reject = reject, .reject_context = &r};
        memcpy(o.need, samples_only, sizeof o.need);
        assert_int_equal(load(&o), GS_OK);
        assert_string_equal(
            r.text.ptr, "./gpu.csv:2: powerDrawWatt: 'x' is not a number: 1,a,1,G,x,1,1,1\n"
                        "./gpu.csv:4: 6 fields, expected 8: \"3\",a, 1 ,G,1,1\n"
                        "./gpu.csv:5: gpuMemUtilPerc: 'y' is not a number: 4,a,1,G,1,1,1,\"y\"\n");
        assert_int_equal(d.table[GS_TABLE_SAMPLES].n_rows, 2);
        assert_int_equal(d.input[0].n_rejected, 3);
        assert_int_equal(d.host.n, 2);
        assert_string_equal(notes.first->text, "1 reading is missing in the samples and stays so");
        assert_string_equal(notes.first->next->text,
                            "3 malformed rows rejected (--rejects): not in the result");
    }
}

static void what_was_assumed_is_said_once(void **state)
{
    (void)state;
    struct gs_load_options o = {.n_threads = 1, .zone.offset_s = -12600};
    memcpy(o.need, samples_only, sizeof o.need);
    put("gpu.csv", SAMPLE_HEADER
        "2018/11/08 "
        "07:41:30.957,a,1,G,1.0000005,1,1,1\n2018-11-08T07:41:30.0000000001Z,a,1,G,1,1,1,1\n");
    assert_int_equal(load(&o), GS_OK);
    assert_true(d.zoneless);
    assert_string_equal(notes.first->text, /* nothing of the zone, which was given */
                        "times with more than 9 fraction digits were rounded to the nanosecond");
    assert_string_equal(notes.first->next->text,
                        "readings with more than 6 decimals were rounded to 6");
    assert_int_equal(gs_table_value(&d.table[GS_TABLE_SAMPLES], 0, GS_SAMPLE_TIME),
                     INT64_C(1541675490957000000));
}

static void names_are_numbered_in_the_order_of_their_texts(void **state)
{
    (void)state;
    put("gpu.csv", SAMPLE_HEADER AT(1) ",b,2,G2,1,1,1,1\n" AT(1) ",a,0323,G9,1,1,1,1\n" AT(
                       1) ",b,10,G1,1,1,1,1\n" AT(1) ",b,2,G1,1,1,1,1\n" AT(1) ",b,,G1,1,1,1,1\n");
    put("application-checkpoints.csv",
        CHECKPOINT_HEADER AT(1) ",c,Z,START,j,t\n" AT(1) ",a,A,STOP,i,t\n" AT(1) ",B,z,STOP,j,u\n");
    assert_int_equal(load_dir((const bool[]){true, true, false}), GS_OK);
    static const char *const hosts[] = {"B", "a", "b", "c"}, *const events[] = {"A", "Z", "z"};
    static const char *const serials[] = {"0323", NULL, "10", "2", "2"};
    static const uint32_t first_gpu[] = {0, 0, 1, 5, 5};
    assert_int_equal(d.host.n, 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(gs_str_eq(d.host.text[i], gs_str(hosts[i])));
    for (size_t i = 0; i < 3; i++)
        assert_true(gs_str_eq(d.event.text[i], gs_str(events[i])));
    assert_int_equal(d.n_gpus, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_true(serials[i] == NULL ? d.gpu[i].serial.ptr == NULL
                                       : gs_str_eq(d.gpu[i].serial, gs_str(serials[i])));
        assert_int_equal(d.host_first_gpu[i], first_gpu[i]);
    }
}

static void of_a_task_given_twice_the_least_tile_counts(void **state)
{
    (void)state;
    put("task-x-y.csv", TASK_HEADER "t,j,3,1,8\nt,j,2,9,8\nt,j,2,8,8\nt,j,0,0,12\nt,k,7,7,4\n");
    assert_int_equal(load_dir((const bool[]){false, false, true}), GS_OK);
    const uint32_t t = gs_intern_find(&d.task, gs_str("t")),
                   j = gs_intern_find(&d.job, gs_str("j"));
    const uint32_t row = gs_dataset_task_row(&d, t, j);
    assert_int_equal(gs_table_value(&d.table[GS_TABLE_TASKS], row, GS_TASK_LEVEL), 8);
    assert_int_equal(gs_table_value(&d.table[GS_TABLE_TASKS], row, GS_TASK_X), 2);
    assert_int_equal(gs_table_value(&d.table[GS_TABLE_TASKS], row, GS_TASK_Y), 8);
    assert_int_equal(gs_dataset_task_row(&d, t, 4711), GS_NONE);
}

static void bytes_know_a_plain_file_from_a_stream(void **state)
{
    (void)state;
    struct gs_bytes *b;
    uint64_t size;
    char room[8];
    size_t n;
    put("f", "hello");
    assert_int_equal(gs_bytes_open("f", &arena, &b, &err), GS_OK);
    assert_true(gs_bytes_plain_fd(b, &size) >= 0);
    assert_int_equal(size, 5);
    assert_int_equal(gs_bytes_read(b, room, 2, &n, &err), GS_OK);
    assert_memory_equal(room, "he", 2);
    assert_int_equal(gs_bytes_read(b, room, 0, &n, &err), GS_OK);
    assert_int_equal(n, 0);
    assert_int_equal(gs_bytes_read(b, room, sizeof room, &n, &err), GS_OK);
    assert_memory_equal(room, "llo", 3);
    assert_int_equal(gs_bytes_read(b, room, sizeof room, &n, &err), GS_OK);
    assert_int_equal(n, 0);
    gs_bytes_close(b);
    put("\033[2J", "x");
    assert_int_equal(gs_bytes_open("\033[2J", &arena, &b, &err), GS_OK);
    assert_string_equal(gs_bytes_name(b), "\\x1B[2J");
    gs_bytes_close(b);
    gs_bytes_close(NULL);
}

int main(void)
{
#define LOAD_TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)
    static const struct CMUnitTest tests[] = {
        LOAD_TEST(files_are_found_by_name_in_order),
        LOAD_TEST(places_name_file_and_line),
        LOAD_TEST(a_table_that_is_not_there_is_named),
        LOAD_TEST(an_optional_table_may_be_absent),
        LOAD_TEST(a_table_plain_and_packed_is_refused),
        LOAD_TEST(a_directory_in_place_of_a_file_is_refused),
        LOAD_TEST(columns_are_bound_by_name),
        LOAD_TEST(what_is_wrong_is_said_with_its_place),
        LOAD_TEST(event_types_are_start_and_stop),
        LOAD_TEST(rejected_rows_are_set_aside_as_they_were),
        LOAD_TEST(what_was_assumed_is_said_once),
        LOAD_TEST(names_are_numbered_in_the_order_of_their_texts),
        LOAD_TEST(of_a_task_given_twice_the_least_tile_counts),
        LOAD_TEST(bytes_know_a_plain_file_from_a_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
