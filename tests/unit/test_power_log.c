/* test_power_log.c - every form of power log seen in the wild, whole and in single bytes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "read/power_log.h"
#include "num/timestamp.h"

struct read {
    struct gs_arena arena;
    struct gs_notes notes;
    struct gs_log_table table;
    struct gs_err err;
    enum gs_status status;
};

/* Reads `text` in pieces of `piece` bytes. */
static void read_pieces(struct read *r, const char *text, size_t len, const struct gs_power_log_options *o,
                        size_t piece)
{
    struct gs_power_log_parser *p = NULL;
    memset(r, 0, sizeof *r);
    r->notes.arena = &r->arena;
    r->status = gs_power_log_open("x.csv", o, &r->arena, &r->notes, &p, &r->err);
    for (size_t i = 0; r->status == GS_OK && i < len; i += piece)
        r->status = gs_power_log_feed(p, text + i, len - i < piece ? len - i : piece, &r->err);
    if (r->status == GS_OK)
        r->status = gs_power_log_finish(p, &r->table, &r->err);
    gs_power_log_close(p);
}

/* Reads it at every size of piece, which must all say the same; leaves the last. */
static void read_log(struct read *r, const char *text, const struct gs_power_log_options *o)
{
    static const struct gs_power_log_options none;
    const size_t len = strlen(text);
    read_pieces(r, text, len, o == NULL ? &none : o, len + 1);
    for (size_t piece = 1; piece <= len; piece++) {
        struct read again;
        read_pieces(&again, text, len, o == NULL ? &none : o, piece);
        assert_int_equal(again.status, r->status);
        assert_string_equal(again.err.text, r->err.text);
        assert_int_equal(again.table.n_rows, r->table.n_rows);
        assert_int_equal(again.table.n_dropped, r->table.n_dropped);
        assert_int_equal(again.table.n_logs, r->table.n_logs);
        for (size_t g = 0; g < r->table.n_logs; g++) {
            const size_t n = r->table.log[g].n;
            assert_int_equal(again.table.log[g].n, n);
            assert_memory_equal(again.table.log[g].value[GS_LOG_POWER], r->table.log[g].value[GS_LOG_POWER],
                                n * sizeof(int64_t));
        }
        gs_arena_release(&again.arena);
    }
    if (r->status == GS_OK) { /* no row is ever lost */
        uint64_t n = r->table.n_dropped + r->table.n_other;
        for (size_t g = 0; g < r->table.n_logs; g++)
            n += r->table.log[g].n;
        assert_int_equal(n, r->table.n_rows);
    }
}

static void done(struct read *r)
{
    gs_arena_release(&r->arena);
}

static void assert_values(const int64_t *value, size_t n, const double *wanted)
{
    for (size_t i = 0; i < n; i++)
        assert_int_equal(value[i], isnan(wanted[i]) ? GS_MISSING : llround(wanted[i] * 1e6));
}

#define ASSERT_VALUES(log, field, ...)                                                                                 \
    do {                                                                                                               \
        const double wanted[] = {__VA_ARGS__};                                                                         \
        assert_int_equal((log)->n, sizeof wanted / sizeof *wanted);                                                    \
        assert_non_null((log)->value[field]);                                                                          \
        assert_values((log)->value[field], (log)->n, wanted);                                                          \
    } while (0)

static bool said(const struct read *r, const char *part)
{
    for (const struct gs_note *n = r->notes.first; n != NULL; n = n->next)
        if (strstr(n->text, part) != NULL)
            return true;
    return false;
}

static void units_may_stand_in_the_header_in_the_values_or_nowhere(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "timestamp, power.draw [W], utilization.gpu [%]\n2024/10/10 13:18:58.369, 145.99, 81\n",
        "timestamp, power.draw [W], utilization.gpu [%]\n2024/10/10 13:18:58.369, 145.99 W, 81 %\n",
        "timestamp, power.draw, utilization.gpu\n2024/10/10 13:18:58.369, 145.99, 81\n",
        "timestamp, power.draw [mW], utilization.gpu [%]\r\n2024/10/10 13:18:58.369, 145990, 81\r\n",
        "timestamp, power.draw [mW], utilization.gpu\n2024/10/10 13:18:58.369, 145.99 W, 81 %",
        "\xef\xbb\xbftimestamp,power.draw,utilization.gpu\n\"2024-10-10T13:18:58.369Z\",\"0.14599 kW\",81\n",
        "power,gpu_util,time\n145.99,81,1728566338.369\n",
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct read r;
        read_log(&r, forms[i], NULL);
        assert_int_equal(r.status, GS_OK);
        assert_int_equal(r.table.n_logs, 1);
        ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 145.99);
        ASSERT_VALUES(&r.table.log[0], GS_LOG_GPU_UTIL, 81);
        assert_int_equal(r.table.log[0].t_ns[0], INT64_C(1728566338369000000));
        assert_null(r.table.log[0].gpu.ptr);
        done(&r);
    }
}

static void a_header_before_every_row_is_no_row(void **state)
{
    (void)state;
    struct read r;
    read_log(&r,
             "timestamp, power.draw [W]\n2024/10/10 13:18:58.369, 1 W\ntimestamp, power.draw [W]\n"
             "2024/10/10 13:18:58.469, 2 W\n\npower.draw [W], timestamp\n3 W, 2024/10/10 13:18:58.569\n",
             NULL);
    assert_int_equal(r.status, GS_OK);
    assert_int_equal(r.table.n_rows, 3);
    assert_int_equal(r.table.n_headers, 3);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 1, 2, 3); /* the last header has other places */
    assert_true(said(&r, "3 header lines"));
    done(&r);
}

static void several_gpus_are_parted_and_ordered_by_number(void **state)
{
    (void)state;
    struct read r;
    read_log(&r,
             "timestamp, index, pci.bus_id, power.draw [W]\n2024/10/10 13:00:00.000, 10, 0A, 1\n"
             "2024/10/10 13:00:00.001, 9, 0B, 2\n2024/10/10 13:00:01.000, 10, 0A, 3\n",
             NULL);
    assert_int_equal(r.status, GS_OK);
    assert_int_equal(r.table.n_logs, 2);
    assert_true(gs_str_eq(r.table.log[0].gpu, gs_str("9")));
    assert_true(gs_str_eq(r.table.log[1].gpu, gs_str("10")));
    ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 2); /* the last sweep is incomplete */
    ASSERT_VALUES(&r.table.log[1], GS_LOG_POWER, 1, 3);
    done(&r);
}

static void an_index_is_told_apart_by_its_host(void **state)
{
    (void)state;
    struct read r;
    read_log(&r, "timestamp,hostname,gpu,power\n1,b,0,5\n1,a,0,6\n", NULL);
    assert_int_equal(r.table.n_logs, 2);
    assert_true(gs_str_eq(r.table.log[0].gpu, gs_str("a/0")));
    ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 6);
    done(&r);
}

static void a_row_without_power_is_dropped_and_counted_with_its_reason(void **state)
{
    (void)state;
    struct read r;
    read_log(&r,
             "timestamp, power.draw [W], temperature.gpu\n1, 10, [N/A]\n2, [N/A], 40\n3, [Unknown Error], 41\n"
             "4, [Not Supported], 41\n5, , 41\n6, 1x, 41\nwhen, 12, 41\n8, 13, N/A\n9, 14\n10, 15, 42, 43\n11, 1",
             NULL);
    assert_int_equal(r.status, GS_OK);
    assert_int_equal(r.table.n_rows, 11);
    assert_int_equal(r.table.n_dropped, 9);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 10, 13);
    assert_null(r.table.log[0].value[GS_LOG_TEMP]); /* no reading has one */
    assert_true(said(&r, "x.csv: 9 of 11 rows dropped (81.8 %): 3 with too few or too many fields (first: line "
                         "10), 1 without a readable time (first: line 8), 4 without a power (first: line 3), 1 "
                         "whose power is no number (first: line 7)"));
    done(&r);
}

static void the_comma_before_milliseconds_is_no_separator(void **state)
{
    (void)state;
    struct read r;
    read_log(&r, "timestamp, power.draw [W]\n2024/10/10 13:18:58,369, 21.5 W\n2024/10/10 13:18:58,400000, 22 W\n",
             NULL);
    assert_int_equal(r.table.n_dropped, 0);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 21.5, 22);
    assert_int_equal(r.table.log[0].t_ns[0], INT64_C(1728566338369000000));
    assert_int_equal(r.table.log[0].t_ns[1], INT64_C(1728566338400000000));
    done(&r);
}

static void time_that_goes_backwards_is_put_in_order_and_noted(void **state)
{
    (void)state;
    struct read r;
    read_log(&r, "time,power\n5,1\n3,2\n4,3\n4,4\n1,5\n", NULL);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 5, 2, 3, 4, 1);
    assert_int_equal(r.table.log[0].n_backward, 2);
    assert_true(said(&r, "time goes backwards at 2 rows"));
    done(&r);
}

static void latin_1_units_are_read(void **state)
{
    (void)state;
    struct read r;
    read_log(&r,
             "        Date        , GPU Clock [MHz] , GPU Temperature [\xb0"
             "C] , GPU Load [%] , Board Power Draw [W] ,\n"
             "2023-07-08 19:27:36 , 1800.0 , 54.0 , 3 , 126.9 ,\n",
             NULL);
    assert_int_equal(r.status, GS_OK);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 126.9);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_TEMP, 54);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_CLOCK, 1800);
    assert_int_equal(r.table.log[0].t_ns[0], INT64_C(1688844456000000000));
    done(&r);
}

static void the_study_s_five_columns_need_no_header(void **state)
{
    (void)state;
    struct read r;
    read_log(&r, "2024/10/10 13:18:58.369, 81, 145.99, 4396, 11264\n2024/10/10 13:18:58.420, 82, 172.5, 4396, 11264\n",
             NULL);
    assert_int_equal(r.status, GS_OK);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 145.99, 172.5);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_GPU_UTIL, 81, 82);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_MEMORY_TOTAL, 11264, 11264);
    assert_true(said(&r, "has no header"));
    done(&r);
}

static void columns_may_be_named_by_the_user(void **state)
{
    (void)state;
    struct read r;
    const struct gs_power_log_options named = {.columns = "gpu, -,power,timestamp"};
    read_log(&r, "gpu,timestamp,power,x\n1,x,7,2\n0,x,8,2\n", &named);
    assert_int_equal(r.status, GS_OK);
    assert_int_equal(r.table.n_rows, 2); /* the header is still none */
    assert_int_equal(r.table.n_logs, 2);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 8);
    done(&r);
    const struct gs_power_log_options unknown = {.columns = "timestamp,watts"};
    read_log(&r, "1,2\n", &unknown);
    assert_int_equal(r.status, GS_ERR_USAGE);
    assert_string_equal(r.err.text, "--columns: no column can be named 'watts'; names are timestamp, gpu, power, temp, "
                                    "gpu_util, mem_util, memory_used, memory_total, clock, and - to ignore one");
    done(&r);
    const struct gs_power_log_options powerless = {.columns = "timestamp,temp"};
    read_log(&r, "1,2\n", &powerless);
    assert_int_equal(r.status, GS_ERR_USAGE);
    assert_string_equal(r.err.text, "--columns: no column is named power");
    done(&r);
}

static void of_several_power_columns_the_first_with_values_or_the_one_named_counts(void **state)
{
    (void)state;
    static const char log[] =
        "timestamp, power.draw [W], power.draw.average [W], power.draw.instant [W], module.power [W]\n"
        "1, [N/A], 20, 30, 40\n2, [N/A], 21, [N/A], 41\n";
    static const struct {
        const char *name;
        double first;
        size_t n;
    } wanted[] = {{NULL, 20, 2},
                  {"average", 20, 2},
                  {"instant", 30, 1},
                  {"power.draw.instant", 30, 1},
                  {"Module.Power [W]", 40, 2},
                  {"module.power", 40, 2},
                  {"draw", 0, 0}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        struct read r;
        const struct gs_power_log_options o = {.power_column = wanted[i].name};
        read_log(&r, log, &o);
        assert_int_equal(r.status, wanted[i].n > 0 ? GS_OK : GS_ERR_DATA);
        if (wanted[i].n == 0) {
            assert_string_equal(r.err.text, "x.csv: no reading in 2 rows: 2 without a power (first: line 2)");
            done(&r);
            continue;
        }
        assert_int_equal(r.table.log[0].n, wanted[i].n);
        assert_int_equal(r.table.log[0].n_dropped, 2 - wanted[i].n);
        assert_int_equal(r.table.log[0].value[GS_LOG_POWER][0], (int64_t)(wanted[i].first * 1e6));
        done(&r);
    }
    struct read r;
    const struct gs_power_log_options o = {.power_column = "gpu.power"};
    read_log(&r, log, &o);
    assert_int_equal(r.status, GS_ERR_DATA);
    assert_string_equal(r.err.text, "x.csv:1: no power column 'gpu.power'; found timestamp, power.draw [W], "
                                    "power.draw.average [W], power.draw.instant [W], module.power [W]");
    done(&r);
}

static void dmon_is_read_with_repeated_headers_dashes_and_a_torn_last_line(void **state)
{
    (void)state;
    struct read r;
    read_log(&r,
             "# gpu   pwr gtemp mtemp    sm   mem\n# Idx     W     C     C     %     %\n"
             "    0    27    23     -     0     1\n    1    26    26     -    99     0\n"
             "# gpu   pwr gtemp mtemp    sm   mem\r\n# Idx     W     C     C     %     %\r\n"
             "    0    28    23     -     0     0\r\n    1     -    26     -     0     0\n    0     -     -",
             NULL);
    assert_int_equal(r.status, GS_OK);
    assert_int_equal(r.table.n_rows, 5);
    assert_int_equal(r.table.n_headers, 4);
    assert_int_equal(r.table.n_dropped, 2);
    assert_int_equal(r.table.log[0].n_dropped, 1); /* the torn line still names its GPU */
    ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 27, 28);
    ASSERT_VALUES(&r.table.log[1], GS_LOG_GPU_UTIL, 99);
    assert_null(r.table.log[0].t_ns);
    done(&r);
}

static void dmon_has_times_from_its_own_columns_or_from_the_interval(void **state)
{
    (void)state;
    struct read r;
    read_log(&r,
             "#Date       Time        gpu    pwr\n#YYYYMMDD   HH:MM:SS    Idx      W\n"
             " 20241010   13:18:58      0     27\n 20241010   13:18:59      0     28\n",
             NULL);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 27, 28);
    assert_int_equal(r.table.log[0].t_ns[1], INT64_C(1728566339000000000));
    done(&r);
    read_log(&r, "#gpu, time, pwr\n0, 23:59:59, 5\n0, 00:00:01, 6\n", NULL);
    assert_int_equal(r.table.log[0].t_ns[1] - r.table.log[0].t_ns[0], 2 * GS_NS_PER_S); /* past midnight */
    done(&r);
    const struct gs_power_log_options second = {.interval_ns = GS_NS_PER_S};
    read_log(&r, "# gpu pwr\n 0 5\n 1 6\n 0 -\n 1 7\n 0 8\n", &second);
    assert_int_equal(r.table.log[0].t_ns[1], 2 * GS_NS_PER_S); /* the dropped row has its place in time */
    assert_int_equal(r.table.log[1].t_ns[1], 1 * GS_NS_PER_S);
    done(&r);
}

static void dcgmi_s_two_word_entity_is_one_gpu(void **state)
{
    (void)state;
    struct read r;
    read_log(&r, "#Entity   POWER   TMPTR\nID        W       C\nGPU 0    59.1     35\nGPU 1    60.2     36\n", NULL);
    /* The line of units has no '#' here: it is a header all the same, and no GPU called ID. */
    assert_int_equal(r.status, GS_OK);
    assert_int_equal(r.table.n_rows, 2);
    assert_int_equal(r.table.n_dropped, 0);
    assert_int_equal(r.table.n_headers, 2);
    assert_int_equal(r.table.n_logs, 2);
    ASSERT_VALUES(&r.table.log[1], GS_LOG_POWER, 60.2);
    done(&r);
}

static void every_header_says_anew_whether_rows_hold_one_field(void **state)
{
    (void)state;
    struct read r;
    /* Once a segmentation fault: the second header has no field, and the first one's place was looked at. */
    read_log(&r, "#gpu date time field value\n0 20200101 10:00:00 155 50\n#date time gpu pwr\n20200101 10:00:01 0 60\n",
             NULL);
    assert_int_equal(r.status, GS_OK);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 50, 60);
    done(&r);
    read_log(&r,
             "GPUId,TimeStamp,Field,Value\n0,1,155,50\n0,1,150,33\nindex,timestamp,power.draw [W]\n0,2,60\n0,3,70\n",
             NULL);
    assert_int_equal(r.status, GS_OK);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 50, 60, 70);
    assert_int_equal(r.table.n_dropped, 0);
    done(&r);
}

static void units_stand_in_round_brackets_and_at_the_end_of_names(void **state)
{
    (void)state;
    static const struct {
        const char *header, *column;
    } c[] = {{"Power (mW)", "Power (mW)"},
             {"power_mw", NULL},
             {"Power (mW)", NULL},
             {"gpu_power_milliwatts", "gpu_power_milliwatts"},
             {"Power.Draw.mW", NULL},
             {"power draw (mW)", NULL},
             {"board power (mW)", "board power (mW)"}};
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        struct read r;
        char log[128];
        snprintf(log, sizeof log, "timestamp,%s,temperature_C,utilization_gpu_percent\n1,5860,40,50\n2,5860,40,50\n",
                 c[i].header);
        const struct gs_power_log_options o = {.power_column = c[i].column};
        read_log(&r, log, &o);
        assert_int_equal(r.status, GS_OK);
        ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 5.86, 5.86);
        ASSERT_VALUES(&r.table.log[0], GS_LOG_TEMP, 40, 40);
        ASSERT_VALUES(&r.table.log[0], GS_LOG_GPU_UTIL, 50, 50);
        done(&r);
    }
}

static void gpus_that_no_column_tells_apart_are_asked_about(void **state)
{
    (void)state;
    static const char log[] = "timestamp,power.draw [W]\n1.000,10\n1.000,20\n1.001,30\n2.000,11\n2.000,21\n2.001,31\n"
                              "3.000,12\n3.000,22\n3.001,32\n";
    struct read r;
    read_log(&r, log, NULL);
    assert_int_equal(r.status, GS_ERR_DATA);
    assert_string_equal(
        r.err.text, "x.csv: its times come in clusters, as those of several GPUs do, and no column tells them apart: "
                    "name it (--columns), or say how many GPUs write in turn (--gpus N, 1 for one)");
    done(&r);
    const struct gs_power_log_options three = {.n_gpus = 3}, one = {.n_gpus = 1};
    read_log(&r, log, &three);
    assert_int_equal(r.table.n_logs, 3);
    ASSERT_VALUES(&r.table.log[2], GS_LOG_POWER, 30, 31, 32);
    done(&r);
    read_log(&r, log, &one);
    assert_int_equal(r.status, GS_OK);
    assert_int_equal(r.table.n_logs, 1);
    done(&r);
}

static void cards_and_energy_counters_are_read(void **state)
{
    (void)state;
    struct read r;
    read_log(&r,
             "timestamp,name,power.draw [W],energy [mJ]\n1,Tesla K40m,10,5000\n2,Tesla K40m,20,[N/A]\n3,Tesla "
             "K40m,20,7500\n",
             NULL);
    assert_true(gs_str_eq(r.table.log[0].card, gs_str("Tesla K40m")));
    assert_int_equal(r.table.log[0].value[GS_LOG_ENERGY][0], 5000000);
    assert_true(r.table.log[0].value[GS_LOG_ENERGY][1] == GS_MISSING);
    assert_int_equal(r.table.log[0].value[GS_LOG_ENERGY][2], 7500000);
    done(&r);
    read_log(&r, "#Entity POWER TOTEC\nID W mJ\nGPU 0 59.1 2500\n", NULL);
    assert_int_equal(r.table.log[0].value[GS_LOG_ENERGY][0], 2500000);
    done(&r);
    read_log(&r, "timestamp,power.draw [W],energy\n1,10,5\n", NULL); /* of what unit? */
    assert_true(r.table.log[0].value[GS_LOG_ENERGY] == NULL);
    done(&r);
}

static void an_instant_reading_goes_first_where_it_is_preferred(void **state)
{
    (void)state;
    static const char log[] =
        "timestamp, power.draw [W], power.draw.average [W], power.draw.instant [W]\n1, 10, 20, 30\n2, 11, 21, 31\n";
    struct read r;
    const struct gs_power_log_options o = {.prefer_instant = true},
                                      named = {.prefer_instant = true, .power_column = "average"};
    read_log(&r, log, &o);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 30, 31);
    assert_int_equal(r.table.column, GS_COLUMN_INSTANT);
    done(&r);
    read_log(&r, log, &named);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 20, 21);
    assert_int_equal(r.table.column, GS_COLUMN_AVERAGE);
    done(&r);
    read_log(&r, log, NULL);
    assert_int_equal(r.table.column, GS_COLUMN_DRAW);
    done(&r);
}

static void the_long_form_of_dcgm_joins_fields_by_time(void **state)
{
    (void)state;
    struct read r;
    read_log(&r,
             "GPUId,TimeStamp,Field,Value\n0,1689325967000000,DCGM_FI_DEV_GPU_UTIL,50\n"
             "0,1689325967000100,power_usage,100.5\n1,1689325967000000,155,90\n"
             "0,1689325968000100,DCGM_FI_DEV_POWER_USAGE,N/A\n0,1689325969000000,DCGM_FI_DEV_GPU_UTIL,60\n"
             "0,1689325969000100,155,120\n0,1689325969000100,DCGM_FI_DEV_XID_ERRORS,0\n",
             NULL);
    assert_int_equal(r.status, GS_OK);
    assert_int_equal(r.table.n_rows, 7);
    assert_int_equal(r.table.n_other, 3);
    assert_int_equal(r.table.n_dropped, 1);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_POWER, 100.5, 120);
    ASSERT_VALUES(&r.table.log[0], GS_LOG_GPU_UTIL, 50, 60);
    ASSERT_VALUES(&r.table.log[1], GS_LOG_POWER, 90);
    assert_null(r.table.log[1].value[GS_LOG_GPU_UTIL]);
    assert_true(said(&r, "3 of 7 rows hold other fields than power"));
    done(&r);
}

/* A header says what the rows below it are, whatever stood above: each form after the other. */
static void every_header_has_a_form_of_its_own(void **state)
{
    (void)state;
    struct read r;
    read_log(&r, "#gpu date time field value\n0 20200101 10:00:00 155 50\n#date time gpu pwr\n20200101 10:00:01 0 60\n",
             NULL);
    assert_int_equal(r.status, GS_OK);
    assert_int_equal(r.table.n_logs, 1);
    assert_int_equal(r.table.log[0].n, 2);
    assert_values(r.table.log[0].value[GS_LOG_POWER], 2, (const double[]){50, 60});
    done(&r);
    read_log(&r,
             "GPUId,TimeStamp,Field,Value\n0,1689325967000000,155,50\nindex,timestamp,power.draw [W]\n"
             "0,2023/07/14 09:12:48.000,60\n",
             NULL);
    assert_int_equal(r.status, GS_OK);
    assert_int_equal(r.table.log[0].n, 2);
    assert_values(r.table.log[0].value[GS_LOG_POWER], 2, (const double[]){50, 60});
    done(&r);
    read_log(&r, "#date time gpu pwr\n20200101 10:00:01 0 60\n#gpu date time field value\n0 20200101 10:00:02 155 50\n",
             NULL);
    assert_int_equal(r.status, GS_OK);
    assert_values(r.table.log[0].value[GS_LOG_POWER], 2, (const double[]){60, 50});
    done(&r);
}

static void what_is_no_power_log_is_refused_with_what_was_found(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "x.csv: is empty, expected a power log"},
        {"\xef\xbb\xbf \r\n", "x.csv: is empty, expected a power log"},
        {"timestamp,power\n", "x.csv: no rows, only a header"},
        {"timestamp\n1689325967982958\n", "x.csv:1: no power column (--power-column names it); found timestamp"},
        {"when,watts\n1,2\n", "x.csv:1: no power column (--power-column names it); found when, watts"},
        {"1,2,3\n", "x.csv:1: no header that names columns of a power log; for a log without one use --columns "
                    "timestamp,gpu,power,..."},
        {"timestamp,power [hp]\n1,2\n", "x.csv:1: 'power [hp]' is in a unit that is not known here"},
        {"timestamp,power\n1,\"2\n", "x.csv:2: a quote is opened and never closed"},
        {"# gpu temp\n0 1\n", "x.csv:1: no power column (--power-column names it); found gpu, temp"},
        {"# only words\n0 1\n", "x.csv:2: a row before any line of '#' that names the columns"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct read r;
        read_log(&r, cases[i].text, NULL);
        assert_int_equal(r.status, GS_ERR_DATA);
        assert_string_equal(r.err.text, cases[i].error);
        done(&r);
    }
    static const struct gs_power_log_options none;
    static const char *const heads[] = {"", "# gpu pwr\n0 "};
    for (size_t i = 0; i < 2; i++) {
        struct read r;
        char text[64];
        const size_t n = strlen(heads[i]);
        memcpy(text, heads[i], n + 1);
        read_pieces(&r, text, n + 1, &none, 64);
        assert_int_equal(r.status, GS_ERR_DATA);
        assert_non_null(strstr(r.err.text, "a NUL byte, expected text"));
        done(&r);
    }
}

static void zones_of_times_are_the_reader_s_or_their_own(void **state)
{
    (void)state;
    struct read r;
    const struct gs_power_log_options east = {.zone = {.offset_s = 3600}};
    read_log(&r, "time,power\n2023/07/14 10:12:46.483,1\n2023-07-14T10:12:46.483Z,2\n", &east);
    assert_true(r.table.zoneless);
    assert_int_equal(r.table.log[0].t_ns[1] - r.table.log[0].t_ns[0], 3600 * GS_NS_PER_S);
    done(&r);
}

static void running_out_of_memory_anywhere_is_a_status(void **state)
{
    (void)state;
    static const struct gs_power_log_options none;
    static const char log[] = "timestamp, index, power.draw [W]\n1, 0, 10\n2, 1, 11\n3, 0, x\n1, 0, 5\n";
    unsigned failures = 0;
    for (uint64_t n = 1; n < 1000; n++) {
        struct read r;
        gs_memory_fail_after(n);
        read_pieces(&r, log, sizeof log - 1, &none, 7);
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
        cmocka_unit_test(a_header_before_every_row_is_no_row),
        cmocka_unit_test(several_gpus_are_parted_and_ordered_by_number),
        cmocka_unit_test(an_index_is_told_apart_by_its_host),
        cmocka_unit_test(a_row_without_power_is_dropped_and_counted_with_its_reason),
        cmocka_unit_test(the_comma_before_milliseconds_is_no_separator),
        cmocka_unit_test(time_that_goes_backwards_is_put_in_order_and_noted),
        cmocka_unit_test(latin_1_units_are_read),
        cmocka_unit_test(the_study_s_five_columns_need_no_header),
        cmocka_unit_test(columns_may_be_named_by_the_user),
        cmocka_unit_test(of_several_power_columns_the_first_with_values_or_the_one_named_counts),
        cmocka_unit_test(dmon_is_read_with_repeated_headers_dashes_and_a_torn_last_line),
        cmocka_unit_test(dmon_has_times_from_its_own_columns_or_from_the_interval),
        cmocka_unit_test(dcgmi_s_two_word_entity_is_one_gpu),
        cmocka_unit_test(every_header_says_anew_whether_rows_hold_one_field),
        cmocka_unit_test(units_stand_in_round_brackets_and_at_the_end_of_names),
        cmocka_unit_test(gpus_that_no_column_tells_apart_are_asked_about),
        cmocka_unit_test(cards_and_energy_counters_are_read),
        cmocka_unit_test(an_instant_reading_goes_first_where_it_is_preferred),
        cmocka_unit_test(the_long_form_of_dcgm_joins_fields_by_time),
        cmocka_unit_test(every_header_has_a_form_of_its_own),
        cmocka_unit_test(what_is_no_power_log_is_refused_with_what_was_found),
        cmocka_unit_test(zones_of_times_are_the_reader_s_or_their_own),
        cmocka_unit_test(running_out_of_memory_anywhere_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
