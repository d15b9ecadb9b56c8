/* test_metric.c - the table of metrics, lists of them, and the columns that hold one. */
#include "fixture.h"

#include "data/tables/metric.h"
#include "input/schema/column_meaning.h"

/* The metric that a column of this name holds; NULL too where its unit is needed and not there. */
static const struct gs_metric *metric_of(const char *column, struct gs_unit *unit)
{
    struct gs_name name;
    bool needs_unit = false;
    gs_name_split(gs_str(column), &name);
    const struct gs_metric *const m = gs_name_metric(&name, &needs_unit);
    *unit = name.unit;
    return needs_unit && name.unit.quantity == GS_Q_NONE ? NULL : m;
}

static void the_fixed_metrics_come_first_in_the_table(void **state)
{
    (void)state;
    static const char *const names[GS_FIXED_METRICS] = {"power_w", "temp_c", "gpu_util_pct",
                                                        "mem_util_pct"};
    for (unsigned m = 0; m < GS_FIXED_METRICS; m++)
        assert_string_equal(gs_known_metrics[m].name, names[m]);
}

static void every_row_of_the_table_is_whole(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < gs_n_known_metrics; k++) {
        const struct gs_metric *const m = &gs_known_metrics[k];
        assert_true(gs_metric_find(gs_str(m->name)) == m); /* no name is there twice */
        assert_true(strncmp(m->name, m->stem, strlen(m->stem)) == 0);
        assert_true(m->low <= m->usual_low && m->usual_low < m->usual_high &&
                    m->usual_high <= m->high);
        assert_true(m->label[0] != '\0' && m->words[0] != '\0' && m->aliases[0] != '\0');
        struct gs_unit unit;
        assert_true(m->unit[0] == '\0' || gs_metric_quantity(m) != GS_Q_NONE);
        /* What gpustat itself prints is read back. */
        assert_true(metric_of(m->name, &unit) == m);
        assert_true(unit.num == unit.den);
    }
}

static void no_name_belongs_to_two_metrics(void **state)
{
    (void)state;
    char name[128];
    for (uint32_t k = 0; k < gs_n_known_metrics; k++)
        for (const char *a = gs_known_metrics[k].aliases; *a != '\0';) {
            const bool wants_unit = *a == '?';
            a += wants_unit;
            const size_t n = strcspn(a, " ");
            (void)snprintf(name, sizeof name, wants_unit ? "%.*s [%s]" : "%.*s", (int)n, a,
                           gs_known_metrics[k].unit);
            struct gs_unit unit;
            const struct gs_metric *const found = metric_of(name, &unit);
            if (found != &gs_known_metrics[k])
                fail_msg("%s is %s, expected %s", name, found == NULL ? "no metric" : found->name,
                         gs_known_metrics[k].name);
            a += n + (a[n] == ' ');
        }
}

static void columns_are_known_by_their_names_and_units(void **state)
{
    (void)state;
    static const struct {
        const char *header, *metric;
        int64_t num, den;
    } want[] = {
        {"powerDrawWatt", "power_w", 1, 1},
        {"gpuTempC", "temp_c", 1, 1},
        {"gpuUtilPerc", "gpu_util_pct", 1, 1},
        {"gpuMemUtilPerc", "mem_util_pct", 1, 1},
        {"power.draw [W]", "power_w", 1, 1},
        {" power.draw [mW] ", "power_w", 1, 1000},
        {"Power (mW)", "power_w", 1, 1000},
        {"gpu_power_mw", "power_w", 1, 1000},
        {"power_milliwatts", "power_w", 1, 1000},
        {"Board Power Draw [W]", "power_w", 1, 1},
        {"power.draw.instant [W]", "power_instant_w", 1, 1},
        {"power.draw.average [W]", "power_average_w", 1, 1},
        {"power", NULL, 0, 0}, /* of what unit? */
        {"power [MW]", "power_w", 1000000, 1},
        {"power [s]", NULL, 0, 0},
        {"cpu_power", NULL, 0, 0},
        {"ram_power_w", NULL, 0, 0},
        {"mem_power_w", NULL, 0, 0},
        {"Max Graphics Package Power (W)", NULL, 0, 0},
        {"temperature_C", "temp_c", 1, 1},
        {"GPU Temperature [\xc2\xb0"
         "C]",
         "temp_c", 1, 1},
        {"temperature.gpu", "temp_c", 1, 1},
        {"temperature.memory", "mem_temp_c", 1, 1},
        {"utilization_gpu_percent", "gpu_util_pct", 1, 1},
        {"gpu_util_ratio", "gpu_util_pct", 100, 1},
        {"utilization.memory [%]", "mem_util_pct", 1, 1},
        {"memory.used [MiB]", "mem_used_mib", 1, 1},
        {"memory_used_gib", "mem_used_mib", 1024, 1},
        {"memory_used_bytes", "mem_used_mib", 1, 1048576},
        {"clocks.current.sm [MHz]", "sm_clock_mhz", 1, 1},
        {"clocks.mem [MHz]", "mem_clock_mhz", 1, 1},
        {"fan.speed [%]", "fan_pct", 1, 1},
        {"energy_mj", "energy_j", 1, 1000},
        {"energy_kwh", "energy_j", 3600000, 1},
        {"pcie.link.gen.current", "pcie_gen", 1, 1},
        {"pstate", NULL, 0, 0},
        {"", NULL, 0, 0},
        {"[W]", NULL, 0, 0},
        {"index", NULL, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        struct gs_unit unit;
        const struct gs_metric *const m = metric_of(want[i].header, &unit);
        if (want[i].metric == NULL ? m != NULL : m == NULL || strcmp(m->name, want[i].metric) != 0)
            fail_msg("%s is %s, expected %s", want[i].header, m == NULL ? "none" : m->name,
                     want[i].metric == NULL ? "none" : want[i].metric);
        assert_true(m == NULL || (unit.num == want[i].num && unit.den == want[i].den));
    }
}

static void lists_have_one_order_whatever_is_added_first(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    const struct gs_metric *const added[] = {
        gs_metric_new(gs_str("zeta"), &arena), gs_metric_find(gs_str("fan_pct")),
        gs_metric_new(gs_str("loss"), &arena), gs_metric_find(gs_str("mem_used_mib")),
        gs_metric_new(gs_str("loss"), &arena), gs_metric_find(gs_str("temp_c"))};
    static const char *const want[] = {"power_w",      "temp_c",  "gpu_util_pct", "mem_util_pct",
                                       "mem_used_mib", "fan_pct", "loss",         "zeta"};
    for (size_t turn = 0; turn < COUNT_OF(added); turn++) {
        struct gs_metrics list;
        assert_int_equal(gs_metrics_init(&list, &arena, NULL), GS_OK);
        for (size_t i = 0; i < COUNT_OF(added); i++)
            assert_int_equal(gs_metrics_add(&list, added[(i + turn) % COUNT_OF(added)], NULL),
                             GS_OK);
        assert_int_equal(list.n, COUNT_OF(want));
        for (uint32_t i = 0; i < list.n; i++)
            assert_string_equal(list.metric[i]->name, want[i]);
        assert_int_equal(gs_metrics_find(list.metric, list.n, gs_str("loss")), 6);
        assert_int_equal(gs_metrics_find(list.metric, list.n, gs_str("los")), UINT32_MAX);
    }
    gs_arena_release(&arena);
}

static void columns_about_a_metric_keep_its_unit_last(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    assert_string_equal(gs_metric_column(&gs_known_metrics[GS_POWER], "mean", &arena),
                        "power_mean_w");
    assert_string_equal(gs_metric_column(gs_metric_find(gs_str("sm_clock_mhz")), "mean", &arena),
                        "sm_clock_mean_mhz");
    assert_string_equal(gs_metric_column(gs_metric_find(gs_str("pcie_gen")), "mean", &arena),
                        "pcie_gen_mean");
    const struct gs_metric *const lag = gs_metric_new(gs_str("queue_lag_ms"), &arena);
    assert_string_equal(lag->unit, "ms");
    assert_string_equal(gs_metric_column(lag, "mean", &arena), "queue_lag_mean_ms");
    assert_string_equal(gs_metric_column(gs_metric_new(gs_str("loss"), &arena), "mean", &arena),
                        "loss_mean");
    gs_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fixed_metrics_come_first_in_the_table),
        cmocka_unit_test(every_row_of_the_table_is_whole),
        cmocka_unit_test(no_name_belongs_to_two_metrics),
        cmocka_unit_test(columns_are_known_by_their_names_and_units),
        cmocka_unit_test(lists_have_one_order_whatever_is_added_first),
        cmocka_unit_test(columns_about_a_metric_keep_its_unit_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
