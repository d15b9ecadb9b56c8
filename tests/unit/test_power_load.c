/* test_power_load.c - logs of many forms as power sees them through the common reader. */
#define _GNU_SOURCE
#include "run_fixture.h"

#include "app/passes/power_load.h"

struct loaded {
    struct gs_arena arena;
    struct gs_notes notes;
    struct gs_power_run run;
    struct gs_err err;
    enum gs_status status;
};

static struct gs_arena said_where; /* of the notes: a struct loaded moves */

/* Loads `text` as a file in memory and keeps the readings of all logs. */
static struct loaded load(const char *text, const struct gs_power_loading *given)
{
    struct loaded r = {.notes.arena = &said_where};
    char path[64];
    struct gs_power_loading l = given == NULL ? (struct gs_power_loading){0} : *given;
    int fd = memfd_create("log", MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(gs_sink_write(gs_sink_fd(&fd), text, strlen(text), NULL), GS_OK);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    l.n_threads = 2;
    r.status = gs_power_load(path, &l, &r.arena, &r.notes, &r.run, &r.err);
    if (r.status == GS_OK)
        r.status = gs_power_run_store(&r.run, 2, &r.arena, &r.err);
    (void)close(fd);
    return r;
}

static bool said(const struct loaded *r, const char *part)
{
    for (const struct gs_note *n = r->notes.first; n != NULL; n = n->next)
        if (strstr(n->text, part) != NULL)
            return true;
    return false;
}

static void assert_readings(const struct loaded *r, size_t k, enum gs_log_field field, size_t n,
                            const double *wanted)
{
    const struct gs_log *const log = &r->run.table.log[k];
    if (r->status != GS_OK)
        fail_msg("%s", r->err.text);
    assert_int_equal(log->n, n);
    assert_non_null(log->value[field]);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(log->value[field][i],
                         isnan(wanted[i]) ? GS_MISSING : llround(wanted[i] * 1e6));
}
#define ASSERT_READINGS(r, k, field, ...)                                                          \
    assert_readings(r, k, field, COUNT_OF(((const double[]){__VA_ARGS__})),                        \
                    (const double[]){__VA_ARGS__})

static void done(struct loaded *r)
{
    gs_arena_release(&r->arena);
    gs_arena_release(&said_where);
}

static void units_may_stand_in_the_header_in_the_values_or_nowhere(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "timestamp, power.draw [W], utilization.gpu [%]\n2024/10/10 13:18:58.369, 145.99, 81\n",
        "timestamp, power.draw [W], utilization.gpu [%]\n2024/10/10 13:18:58.369, 145.99 W, 81 %\n",
        "timestamp, power.draw [mW], utilization.gpu\n2024/10/10 13:18:58.369, 145.99 W, 81 %",
        "timestamp,Power.Draw.mW,utilization.gpu\n2024/10/10 13:18:58.369,145990,81\n",
        ("\xef\xbb\xbftimestamp,power.draw,utilization.gpu\n\"2024-10-10T13:18:58.369Z\",\"0.14599 "
         "kW\",81\n"),
        "power,gpu_util,time\n145.99,81,1728566338.369\n",
        "timestamp,power.draw [W],utilization.gpu [%]\n2024-10-10 13:18:58,369,145.99,81\n",
    };
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        struct loaded r = load(forms[i], NULL);
        ASSERT_READINGS(&r, 0, GS_LOG_POWER, 145.99);
        ASSERT_READINGS(&r, 0, GS_LOG_GPU_UTIL, 81);
        assert_int_equal(r.run.table.log[0].t_ns[0], INT64_C(1728566338369000000));
        assert_null(r.run.table.log[0].gpu.ptr);
        done(&r);
    }
}

static void a_power_of_three_digits_behind_a_time_is_no_fraction(void **state)
{
    (void)state;
    struct loaded r = load("time,power\n2024-10-10 13:18:58,150\n2024-10-10 13:18:59,250\n", NULL);
    ASSERT_READINGS(&r, 0, GS_LOG_POWER, 150, 250);
    done(&r);
}

static void gpus_are_in_order_of_their_numbers(void **state)
{
    (void)state;
    struct loaded r =
        load("timestamp, index, pci.bus_id, name, power.draw [W]\n2024/10/10 13:00:00.000, 10, 0A, "
             "T4, 1\n"
             "2024/10/10 13:00:00.001, 9, 0B, T4, 2\n2024/10/10 13:00:01.000, 10, 0A, T4, 3\n",
             NULL);
    ASSERT_READINGS(&r, 0, GS_LOG_POWER, 2);
    ASSERT_READINGS(&r, 1, GS_LOG_POWER, 1, 3);
    assert_true(gs_str_eq(r.run.table.log[0].gpu, gs_str("9")));
    assert_true(gs_str_eq(r.run.table.log[1].gpu, gs_str("10")));
    assert_true(gs_str_eq(r.run.table.log[1].card, gs_str("T4")));
    done(&r);
    r = load("timestamp,hostname,gpu,power\n1728566338,b,0,5\n1728566338,a,0,6\n", NULL);
    assert_true(gs_str_eq(r.run.table.log[0].gpu, gs_str("a/0")));
    ASSERT_READINGS(&r, 0, GS_LOG_POWER, 6);
    done(&r);
}

static void a_row_that_is_no_reading_is_dropped_and_counted(void **state)
{
    (void)state;
    struct loaded r =
        load("timestamp, power.draw [W], temperature.gpu\n1, 10, [N/A]\n2, [N/A], 40\n"
             "3, [Unknown Error], 41\n4, [Not Supported], 41\n5, , 41\n6, 1x, 41\nwhen, 12, 41\n"
             "8, 13, N/A\n9, 14\n10, 15, 42, 43\n11, 1",
             NULL);
    ASSERT_READINGS(&r, 0, GS_LOG_POWER, 10, 13);
    assert_null(r.run.table.log[0].value[GS_LOG_TEMP]);
    assert_int_equal(r.run.table.n_rows, 11);
    assert_int_equal(r.run.table.n_dropped, 9);
    assert_true(said(&r, "1 reading is no number and so missing, the first in line 7"));
    assert_true(said(
        &r, "3 malformed rows are left out; the first is line 8: timestamp: 'when' is not a time"));
    done(&r);
}

/* The same of rows that the scanner reads, and of those that it leaves to the mapper: a time that is none. */
static void broken_rows_are_no_reason_to_read_a_log_again(void **state)
{
    (void)state;
    static const char rows[] =
        "1728566338, 10, 40\n1728566339, [N/A], 40\n1728566340, 12\n1728566341, 1x, 41\n"
        "1728566342, 13, 4x\n1728566343, 14, [Unknown Error]\n1728566344, 15, 42, 43, 44\n";
    for (int k = 0; k < 2; k++) {
        char log[600];
        (void)snprintf(log, sizeof log,
                       "timestamp, power.draw [W], temperature.gpu\n%s%s1728566345, 16, 44\n17285",
                       rows, k == 0 ? "" : "when, 1, 1\n");
        struct loaded r = load(log, NULL);
        ASSERT_READINGS(&r, 0, GS_LOG_POWER, 10, 13, 14, 16);
        ASSERT_READINGS(&r, 0, GS_LOG_TEMP, 40, NAN, NAN, 44);
        assert_int_equal(r.run.table.n_rows, 9 + k);
        assert_int_equal(r.run.table.n_dropped, 5 + k);
        assert_true(said(&r, "2 readings are no number and so missing, the first in line 5"));
        assert_true(said(
            &r, k == 0
                    ? "2 malformed rows are left out; the first is line 4: 2 fields, expected 3"
                    : "3 malformed rows are left out; the first is line 4: 2 fields, expected 3"));
        done(&r);
    }
}

static void a_header_may_change_and_come_again(void **state)
{
    (void)state;
    struct loaded r = load(
        "timestamp, power.draw [W]\n2024/10/10 13:18:58.369, 1 W\ntimestamp, power.draw [W]\n"
        "2024/10/10 13:18:58.469, 2 W\n\npower.draw [W], timestamp\n3 W, 2024/10/10 13:18:58.569\n",
        NULL);
    ASSERT_READINGS(&r, 0, GS_LOG_POWER, 1, 2, 3);
    assert_int_equal(r.run.table.n_rows, 3);
    done(&r);
}

static void columns_without_a_header_are_the_study_s_or_named(void **state)
{
    (void)state;
    struct loaded r = load("2024/10/10 13:18:58.369, 0, 145.99, 0, 11264\n"
                           "2024/10/10 13:18:58.420, 82, 172.5, 4396, 11264\n",
                           NULL);
    ASSERT_READINGS(&r, 0, GS_LOG_POWER, 145.99, 172.5);
    ASSERT_READINGS(&r, 0, GS_LOG_GPU_UTIL, 0, 82);
    ASSERT_READINGS(&r, 0, GS_LOG_MEMORY_TOTAL, 11264, 11264);
    done(&r);
    const struct gs_power_loading named = {.options.columns = "gpu, -,power,timestamp"};
    r = load("gpu,unused,power,timestamp\n1,x,7,1728566338\n0,x,8,1728566338\n", &named);
    ASSERT_READINGS(&r, 0, GS_LOG_POWER, 8);
    assert_int_equal(r.run.table.n_rows, 2); /* the header is still none */
    done(&r);
    const struct gs_power_loading unknown = {.options.columns = "timestamp,colour"};
    r = load("1,2\n", &unknown);
    assert_int_equal(r.status, GS_ERR_USAGE);
    assert_string_equal(
        r.err.text,
        "--columns: no column can be named 'colour'; names are timestamp, host, gpu, "
        "power, temp, gpu_util, mem_util, memory_used, memory_total, clock, metrics, and - to "
        "ignore one");
    done(&r);
    const struct gs_power_loading powerless = {.options.columns = "timestamp,temp"};
    r = load("1,2\n", &powerless);
    assert_int_equal(r.status, GS_ERR_DATA);
    assert_non_null(strstr(r.err.text, "no sample of 1 has a power"));
    done(&r);
}

static void of_several_power_columns_the_instant_one_or_the_one_named_counts(void **state)
{
    (void)state;
    static const char log[] = "timestamp, power.draw [W], power.draw.average [W], "
                              "power.draw.instant [W], module.power [W]\n"
                              "1728566338, [N/A], 20, 30, 40\n1728566339, [N/A], 21, [N/A], 41\n";
    static const struct {
        const char *name;
        double first;
        size_t n;
        enum gs_power_column column;
    } wanted[] = {{NULL, 30, 1, GS_COLUMN_INSTANT},
                  {"average", 20, 2, GS_COLUMN_AVERAGE},
                  {"instant", 30, 1, GS_COLUMN_INSTANT},
                  {"power.draw.instant [W]", 30, 1, GS_COLUMN_INSTANT},
                  {"module.power [W]", 40, 2, GS_COLUMN_DRAW}};
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        const struct gs_power_loading l = {.options.power_column = wanted[i].name};
        struct loaded r = load(log, &l);
        assert_int_equal(r.status, GS_OK);
        assert_int_equal(r.run.table.log[0].n, wanted[i].n);
        assert_int_equal(r.run.table.log[0].n_dropped, 2 - wanted[i].n);
        assert_int_equal(r.run.table.log[0].value[GS_LOG_POWER][0],
                         (int64_t)(wanted[i].first * 1e6));
        assert_int_equal(r.run.table.column, wanted[i].column);
        done(&r);
    }
    const struct gs_power_loading draw = {.options.power_column = "draw"};
    struct loaded r = load(log, &draw);
    assert_int_equal(r.status, GS_ERR_DATA);
    done(&r);
}

static void rows_without_times_are_counted_where_an_interval_says_how(void **state)
{
    (void)state;
    static const char log[] =
        "# gpu   pwr gtemp\n# Idx     W     C\n    0    27    23\n    1    26    26\n"
        "# gpu   pwr gtemp\r\n# Idx     W     C\r\n    0     -    23\r\n    1    29    26\n"
        "    0    28    24\n    0     -";
    struct loaded r = load(log, NULL);
    ASSERT_READINGS(&r, 0, GS_LOG_POWER, 27, 28);
    ASSERT_READINGS(&r, 1, GS_LOG_POWER, 26, 29);
    assert_null(r.run.table.log[0].t_ns);
    done(&r);
    const struct gs_power_loading second = {.interval_ns = GS_NS_PER_S};
    r = load(log, &second);
    assert_int_equal(r.run.table.log[0].t_ns[1],
                     2 * GS_NS_PER_S); /* the dropped row has its place in time */
    assert_int_equal(r.run.table.log[1].t_ns[1], 1 * GS_NS_PER_S);
    done(&r);
    r = load("#gpu, time, pwr\n0, 23:59:59, 5\n0, 00:00:01, 6\n", NULL);
    ASSERT_READINGS(&r, 0, GS_LOG_POWER, 5, 6);
    assert_int_equal(r.run.table.log[0].t_ns[1] - r.run.table.log[0].t_ns[0],
                     2 * GS_NS_PER_S); /* past midnight */
    done(&r);
}

static void gpus_that_no_column_tells_apart_are_asked_about(void **state)
{
    (void)state;
    static const char log[] =
        "timestamp,power.draw [W]\n1.000,10\n1.000,20\n1.001,30\n2.000,11\n2.000,21\n2.001,31\n"
        "3.000,12\n3.000,22\n3.001,32\n";
    struct loaded r = load(log, NULL);
    assert_int_equal(r.status, GS_ERR_DATA);
    assert_non_null(strstr(
        r.err.text,
        "have different readings at 1970-01-01 00:00:01 UTC and no column names the GPU of each: "
        "--set samples.gpu=COLUMN names it, --set samples.gpu.text=0 if there is one GPU"));
    done(&r);
    const struct gs_power_loading one = {.n_gpus = 1};
    r = load(log, &one);
    assert_int_equal(r.status, GS_OK);
    assert_int_equal(r.run.table.n_logs, 1);
    done(&r);
    r = load("time,power_w\n5,1\n3,2\n4,3\n4,4\n1,5\n6,1\n7,1\n8,1\n9,1\n10,1\n", NULL);
    ASSERT_READINGS(&r, 0, GS_LOG_POWER, 5, 2, 3, 4, 1, 1, 1, 1, 1, 1); /* one in ten is rare */
    done(&r);
}

static void several_gpus_that_no_column_tells_apart_may_be_counted_in_turn(void **state)
{
    (void)state;
    static const char log[] =
        "timestamp,power.draw [W]\n1.000,10\n1.000,20\n1.001,30\n2.000,11\n2.000,x\n2.001,31\n"
        "3.000,12\n3\n3.001,32\n";
    const struct gs_power_loading three = {.n_gpus = 3};
    struct loaded r = load(log, &three);
    ASSERT_READINGS(&r, 0, GS_LOG_POWER, 10, 11, 12);
    ASSERT_READINGS(&r, 1, GS_LOG_POWER, 20); /* rows that are none have had their turn */
    ASSERT_READINGS(&r, 2, GS_LOG_POWER, 30, 31, 32);
    assert_true(gs_str_eq(r.run.table.log[2].gpu, gs_str("2")));
    done(&r);
    r = load("timestamp,index,power.draw [W]\n1,7,10\n2,7,20\n",
             &three); /* a column that names them counts */
    ASSERT_READINGS(&r, 0, GS_LOG_POWER, 10, 20);
    done(&r);
}

static void a_long_table_joins_the_fields_of_dcgm_by_time(void **state)
{
    (void)state;
    struct loaded r =
        load("GPUId,TimeStamp,Field,Value\n0,1689325967000000,DCGM_FI_DEV_GPU_UTIL,50\n"
             "0,1689325967000100,power_usage,100.5\n1,1689325967000000,155,90\n"
             "0,1689325968000100,DCGM_FI_DEV_POWER_USAGE,N/A\n0,1689325969000000,203,60\n"
             "0,1689325969000100,155,120\n0,1689325969000100,DCGM_FI_DEV_XID_ERRORS,0\n",
             NULL);
    ASSERT_READINGS(&r, 0, GS_LOG_POWER, 100.5, 120); /* whatever a field is called */
    ASSERT_READINGS(&r, 0, GS_LOG_GPU_UTIL, 50, 60);  /* the latest value rides along */
    ASSERT_READINGS(&r, 1, GS_LOG_POWER, 90);
    assert_null(r.run.table.log[1].value[GS_LOG_GPU_UTIL]);
    done(&r);
}

static void dmon_of_other_tools_and_other_units(void **state)
{
    (void)state;
    struct loaded r =
        load("#Entity   POWER   TMPTR TOTEC\nID        W       C  mJ\nGPU 0    59.1     35 2500\n"
             "GPU 1    60.2\nGPU 1    60.2     36 2600\n",
             NULL);
    ASSERT_READINGS(&r, 0, GS_LOG_POWER, 59.1);
    ASSERT_READINGS(&r, 0, GS_LOG_ENERGY, 2.5);
    ASSERT_READINGS(&r, 1, GS_LOG_POWER, 60.2);
    assert_true(said(&r, "1 malformed row is left out; the first is line 4: 2 words, expected 4"));
    done(&r);
    r = load("        Date        , GPU Clock [MHz] , GPU Temperature [\xb0"
             "C] , GPU Load [%] , Board Power Draw [W] ,\n2023-07-08 19:27:36 , 1800.0 , 54.0 , 3 "
             ", 126.9 ,\n",
             NULL);
    ASSERT_READINGS(&r, 0, GS_LOG_POWER, 126.9);
    ASSERT_READINGS(&r, 0, GS_LOG_TEMP, 54);
    ASSERT_READINGS(&r, 0, GS_LOG_CLOCK, 1800);
    done(&r);
    r = load("timestamp,power.draw [W],energy [mJ],memory.used [GiB]\n1,10,5000,2\n2,20,[N/A],1\n",
             NULL);
    ASSERT_READINGS(&r, 0, GS_LOG_ENERGY, 5, NAN);
    ASSERT_READINGS(&r, 0, GS_LOG_MEMORY_USED, 2048, 1024);
    done(&r);
    r = load("timestamp,power.draw [W],energy\n1,10,5\n", NULL); /* of what unit? */
    assert_null(r.run.table.log[0].value[GS_LOG_ENERGY]);
    done(&r);
}

static void units_stand_in_round_brackets_and_at_the_end_of_names(void **state)
{
    (void)state;
    static const char *const headers[] = {"Power (mW)", "power_mw", "Power.Draw.mW",
                                          "power draw (mW)", "power_mW"};
    for (size_t i = 0; i < COUNT_OF(headers); i++) {
        char log[128];
        (void)snprintf(log, sizeof log,
                       "timestamp,%s,temperature_C,utilization_gpu_percent\n1,5860,40,50\n",
                       headers[i]);
        struct loaded r = load(log, NULL);
        ASSERT_READINGS(&r, 0, GS_LOG_POWER, 5.86);
        ASSERT_READINGS(&r, 0, GS_LOG_TEMP, 40);
        ASSERT_READINGS(&r, 0, GS_LOG_GPU_UTIL, 50);
        done(&r);
    }
}

static void what_is_no_power_log_is_refused_with_what_was_found(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "is empty"},
        {"\xef\xbb\xbf \r\n", "begins with nothing but blanks"},
        {"timestamp,power_w\n", "has no rows that are samples"},
        {"when,runtime_s\n1,2\n",
         "no column of a power that is known (--power-column names it); found when, runtime_s"},
        {"1,2,3\n4,5,6\n", "has no header; name its columns: --columns -,-,- with power, "},
        {"1,2,3\n", "has no header; name its columns: --columns -,-,- with power, "},
        {"timestamp,power [hp]\n1,2\n", "column 'power [hp]' has no unit: type "},
        {"timestamp,power_w\n1,\"2\n", ":2: a quote is opened and never closed"},
        {"timestamp,temperature.gpu\n1,40\n",
         "no sample of 1 has a power (--power-column names its column); found temp_c"},
        {"# gpu temp\n0 41\n",
         "no sample of 1 has a power (--power-column names its column); found temp_c"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct loaded r = load(cases[i].text, NULL);
        assert_int_equal(r.status, GS_ERR_DATA);
        if (strstr(r.err.text, cases[i].error) == NULL)
            fail_msg("%s\n%s", cases[i].text, r.err.text);
        done(&r);
    }
}

static void zones_of_times_are_the_reader_s_or_their_own(void **state)
{
    (void)state;
    const struct gs_power_loading east = {.options.zone = {.offset_s = 3600}};
    struct loaded r =
        load("time,power_w\n2023/07/14 10:12:46.483,1\n2023-07-14T10:12:46.483Z,2\n", &east);
    ASSERT_READINGS(&r, 0, GS_LOG_POWER, 1, 2);
    assert_int_equal(r.run.table.log[0].t_ns[1] - r.run.table.log[0].t_ns[0], 3600 * GS_NS_PER_S);
    done(&r);
}

static void running_out_of_memory_anywhere_is_a_status(void **state)
{
    (void)state;
    static const char log[] =
        "timestamp, index, name, power.draw [W]\n1728566338, 0, T4, 10\n1728566339, 1, T4, 11\n";
    unsigned failures = 0;
    for (uint64_t n = 1; n < 2000; n++) {
        gs_memory_fail_after(n);
        struct loaded r = load(log, NULL);
        gs_memory_fail_after(0);
        const enum gs_status s = r.status;
        done(&r);
        if (s == GS_OK)
            break;
        assert_int_equal(s, GS_ERR_MEMORY);
        failures++;
    }
    assert_true(failures > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_may_stand_in_the_header_in_the_values_or_nowhere),
        cmocka_unit_test(a_power_of_three_digits_behind_a_time_is_no_fraction),
        cmocka_unit_test(gpus_are_in_order_of_their_numbers),
        cmocka_unit_test(a_row_that_is_no_reading_is_dropped_and_counted),
        cmocka_unit_test(broken_rows_are_no_reason_to_read_a_log_again),
        cmocka_unit_test(a_header_may_change_and_come_again),
        cmocka_unit_test(columns_without_a_header_are_the_study_s_or_named),
        cmocka_unit_test(of_several_power_columns_the_instant_one_or_the_one_named_counts),
        cmocka_unit_test(rows_without_times_are_counted_where_an_interval_says_how),
        cmocka_unit_test(gpus_that_no_column_tells_apart_are_asked_about),
        cmocka_unit_test(several_gpus_that_no_column_tells_apart_may_be_counted_in_turn),
        cmocka_unit_test(a_long_table_joins_the_fields_of_dcgm_by_time),
        cmocka_unit_test(dmon_of_other_tools_and_other_units),
        cmocka_unit_test(units_stand_in_round_brackets_and_at_the_end_of_names),
        cmocka_unit_test(what_is_no_power_log_is_refused_with_what_was_found),
        cmocka_unit_test(zones_of_times_are_the_reader_s_or_their_own),
        cmocka_unit_test(running_out_of_memory_anywhere_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
