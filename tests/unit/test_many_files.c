/* test_many_files.c - what recognising and reading takes for each file of a run, and for each record of a file. */
#include "fixture.h"

#include <unistd.h>

#include "input/import/run_load.h"

static char directory[64];

/* A log of one node: two GPUs, three instants. */
static void put_node(unsigned number)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/node%04u.csv", directory, number);
    FILE *const f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs("time,gpu_idx,power_draw_w\n", f) >= 0);
    for (int t = 0; t < 3; t++)
        assert_true(fprintf(f, "2024-05-01T12:00:0%dZ,0,%u\n2024-05-01T12:00:0%dZ,1,%u\n", t,
                            100 + number, t, 50u) > 0);
    assert_int_equal(fclose(f), 0);
}

static void remove_nodes(unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        char path[128];
        (void)snprintf(path, sizeof path, "%s/node%04u.csv", directory, i);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(directory), 0);
}

static void begin(void)
{
    (void)snprintf(directory, sizeof directory, "/tmp/gpustat-many-XXXXXX");
    assert_non_null(mkdtemp(directory));
}

static enum gs_status load(struct gs_arena *arena, struct gs_dataset *d)
{
    const char *const operand[] = {directory};
    const struct gs_map_request r = {.operand = operand, .n_operands = 1, .seed = 7};
    const struct gs_load_options o = {
        .need = {true, true, true}, .optional = {true, true, true}, .n_threads = 1, .seed = 7};
    struct gs_notes notes = {.arena = arena};
    return gs_run_load(&r, &o, true, arena, d, &notes, NULL);
}

/* The most that is held while all files are read. */
static size_t most_of(uint32_t n_hosts)
{
    struct gs_arena arena = {0};
    struct gs_dataset d = {0};
    gs_memory_limit(0);
    assert_int_equal(load(&arena, &d), GS_OK);
    const size_t most = gs_memory_most();
    assert_int_equal(d.n_gpus, 2 * n_hosts);
    assert_int_equal(d.table[GS_TABLE_SAMPLES].n_rows, 6 * n_hosts);
    gs_arena_release(&arena);
    return most;
}

static void a_file_more_takes_little(void **state)
{
    enum { FEW = 32, MANY = 288, BYTES_PER_FILE = 16 << 10 };
    (void)state;
    begin();
    for (unsigned i = 0; i < FEW; i++)
        put_node(i);
    const size_t few = most_of(FEW);
    for (unsigned i = FEW; i < MANY; i++)
        put_node(i);
    const size_t many = most_of(MANY);
    assert_true(many < few + (size_t)(MANY - FEW) * BYTES_PER_FILE);
    remove_nodes(MANY);
}

/* Memory runs out at every place of loading the directory, one after the other. */
static void load_with_little_memory(void)
{
    struct gs_arena whole = {0};
    struct gs_dataset loaded;
    const enum gs_status wanted = load(&whole, &loaded);
    gs_arena_release(&whole);
    const size_t held = gs_memory_held();
    unsigned n_ok = 0;
    for (uint64_t n = 1; n_ok < 20 && n < 1000; n++) {
        struct gs_arena arena = {0};
        struct gs_dataset d = {0};
        gs_memory_fail_after(n);
        const enum gs_status s = load(&arena, &d);
        gs_memory_fail_after(0);
        assert_true(s == wanted || s == GS_ERR_MEMORY);
        n_ok = s == wanted ? n_ok + 1 : 0; /* a look that fails makes the reading slower, no more */
        gs_arena_release(&arena);
        assert_int_equal(gs_memory_held(), held);
    }
    assert_int_equal(n_ok, 20);
}

static void memory_may_run_out_at_any_place(void **state)
{
    (void)state;
    begin();
    for (unsigned i = 0; i < 3; i++)
        put_node(i);
    load_with_little_memory();
    remove_nodes(3);
}

/* Tables of every shape that detection tells apart; their rows, with the instant's second for %02d. */
static const struct {
    const char *header, *row;
} shapes[] = {
    {"time,metric,value", "2024-05-01T12:00:%02dZ,gpu_power_w,80"},
    {"time,gpu0_power_w,gpu1_power_w,gpu0_temp,gpu1_temp", "2024-05-01T12:00:%02dZ,80,81,50,51"},
    {"Time,\"power{gpu=\"\"0\"\",instance=\"\"a:9\"\"}\",\"power{gpu=\"\"1\"\",instance=\"\"a:"
     "9\"\"}\"",
     "2024-05-01T12:00:%02dZ,80 W,81 W"},
    {"Time,Series,Value", "2024-05-01T12:00:%02dZ,\"DCGM_FI_DEV_POWER_USAGE{gpu=\"\"0\"\"}\",80"},
    {"step,time_s,tokens,user", "%d,0.5,100,ann"},
    {"time,step", "2024-05-01T12:00:%02dZ,1"},
    {"time,event,phase", "2024-05-01T12:00:%02dZ,load,begin"},
    {"start,stop,name,host", "2024-05-01T12:00:%02dZ,2024-05-01T12:01:00Z,load,n1"},
    {"time,power,power,fan", "2024-05-01T12:00:%02dZ,80,90,30"},
    {"date,time,gpu_power,board_power,load", "2024-05-01,12:00:%02d,80,90,0.5"},
    {"time,sensor,watts,note", "2024-05-01T12:00:%02dZ,gpu,80.5,calm"},
};

static void detection_of_every_shape_may_run_out_of_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        char path[128], row[200];
        begin();
        (void)snprintf(path, sizeof path, "%s/table.csv", directory);
        FILE *const f = fopen(path, "w");
        assert_non_null(f);
        assert_true(fprintf(f, "%s\n", shapes[i].header) > 0);
        for (int k = 0; k < 60; k++) {
            const char *const second = strstr(shapes[i].row, "%");
            const char *const rest = strpbrk(second, "d") + 1;
            (void)snprintf(row, sizeof row, "%.*s%02d%s\n", (int)(second - shapes[i].row),
                           shapes[i].row, k, rest);
            assert_true(fputs(row, f) >= 0);
        }
        assert_int_equal(fclose(f), 0);
        load_with_little_memory();
        assert_int_equal(unlink(path), 0);
        assert_int_equal(rmdir(directory), 0);
    }
}

/* Rounds of a GPU's readings with fifty other texts in each, as one form has them. */
typedef void round_fn(FILE *f, int round);

static void put_list(FILE *f, int round)
{
    (void)fprintf(
        f, "====NVSMI LOG====\nTimestamp : Tue Oct 29 %02d:%02d:%02d 2024\nGPU 00000000:01:00.0\n",
        round / 3600, round / 60 % 60, round % 60);
    for (int k = 0; k < 50; k++)
        (void)fprintf(
            f, "    Filler %d : a text of round %d that nobody asks for, nor for what follows it\n",
            k, round);
    (void)fputs("    GPU Power Readings\n        Power Draw : 100.00 W\n", f);
}

static void put_cards(FILE *f, int round)
{
    (void)fputs("{\"card0\": {\"Average Graphics Package Power (W)\": \"100.0\"}, ", f);
    (void)fprintf(f, "\"timestamp\": %d.5, \"note\": \"%4000d\"}\n", 1730200000 + round, round);
}

static void put_series(FILE *f, int round)
{
    (void)fputs(round == 0 ? "{\"data\":{\"resultType\":\"matrix\",\"result\":[" : ",", f);
    (void)fputs("{\"metric\":{\"__name__\":\"DCGM_FI_DEV_POWER_USAGE\",\"gpu\":\"0\"", f);
    for (int k = 0; k < 50; k++)
        (void)fprintf(
            f, ",\"l%d\":\"a text of round %d that nobody asks for, nor for what follows it\"", k,
            round);
    (void)fprintf(f, "},\"values\":[[%d,\"100.5\"]]}", 1730200000 + round);
}

/* The most that is held while one file of so many rounds is read. */
static size_t most_of_rounds(round_fn *put, const char *end, int n)
{
    char path[128];
    struct gs_arena arena = {0};
    struct gs_dataset d = {0};
    (void)snprintf(path, sizeof path, "%s/samples", directory);
    FILE *const f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < n; i++)
        put(f, i);
    assert_true(fputs(end, f) >= 0);
    assert_int_equal(fclose(f), 0);
    gs_memory_limit(0);
    assert_int_equal(load(&arena, &d), GS_OK);
    const size_t most = gs_memory_most();
    assert_int_equal(d.table[GS_TABLE_SAMPLES].n_rows, n);
    gs_arena_release(&arena);
    assert_int_equal(unlink(path), 0);
    return most;
}

static void a_record_more_leaves_nothing_of_its_texts(void **state)
{
    enum { FEW = 100, MANY = 7000, BYTES_PER_ROUND = 2000 /* its texts take 3,000 and more */ };
    static const struct {
        round_fn *put;
        const char *end;
    } forms[] = {{put_list, ""}, {put_cards, ""}, {put_series, "]}}\n"}};
    (void)state;
    begin();
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        const size_t few = most_of_rounds(forms[i].put, forms[i].end, FEW);
        assert_true(most_of_rounds(forms[i].put, forms[i].end, MANY) <
                    few + (size_t)(MANY - FEW) * BYTES_PER_ROUND);
    }
    assert_int_equal(rmdir(directory), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_more_takes_little),
        cmocka_unit_test(a_record_more_leaves_nothing_of_its_texts),
        cmocka_unit_test(memory_may_run_out_at_any_place),
        cmocka_unit_test(detection_of_every_shape_may_run_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
