/* Rows handed over one by one are the dataset that the scanner makes of them; spans, many hosts, attributes. */
#define _GNU_SOURCE /* memfd_create */
#include "run_fixture.h"

#include "input/bytes/bytes.h"
#include "input/import/rows.h"

/* A dataset as text, a line for each row, sorted: what it holds, whatever order and numbers it has. */
struct listing {
    struct gs_arena arena;
    char **line;
    size_t n, capacity;
};

static void add_line(struct listing *l, const char *text)
{
    if (l->n == l->capacity) {
        l->line = gs_arena_grow(&l->arena, l->line, l->n, l->capacity * 2 + 64, sizeof *l->line);
        l->capacity = l->capacity * 2 + 64;
        assert_non_null(l->line);
    }
    l->line[l->n++] = gs_arena_copy(&l->arena, text, strlen(text));
}

static void append_text(struct gs_buf *b, const struct gs_intern *in, int64_t number)
{
    gs_buf_char(b, '|');
    if (number != GS_MISSING)
        gs_buf_escaped(b, in->text[number], 0);
}

static void append_attributes(struct gs_buf *b, const struct gs_dataset *d, int64_t set)
{
    static const char *const keys[] = {"batch", "lr"};
    gs_buf_char(b, '|');
    for (size_t k = 0; k < COUNT_OF(keys); k++) {
        const struct gs_str value = gs_attribute(d, set, gs_str(keys[k]));
        if (value.ptr != NULL)
            gs_buf_format(b, "%s=%.*s;", keys[k], (int)value.len, value.ptr);
    }
}

static void append_event(struct gs_buf *b, const struct gs_dataset *d, const struct gs_segment *s,
                         uint32_t i)
{
    append_text(b, &d->host, s->owner);
    append_text(b, &d->event, gs_segment_value(s, i, GS_SPAN_EVENT));
    append_text(b, &d->job, gs_segment_value(s, i, GS_SPAN_JOB));
    append_text(b, &d->task, gs_segment_value(s, i, GS_SPAN_TASK));
    append_text(b, &d->gpu_name, gs_segment_value(s, i, GS_SPAN_GPU));
    append_attributes(b, d, gs_segment_value(s, i, GS_SPAN_ATTRIBUTES));
    gs_buf_format(b, "|%s", gs_segment_value(s, i, GS_SPAN_IS_COPY) == 1 ? "copy" : "");
}

static void append_row(struct gs_buf *b, const struct gs_dataset *d, int kind,
                       const struct gs_segment *s, uint32_t i)
{
    static const char *const names[GS_N_STORED] = {"mark", "sample", "task", "span"};
    gs_buf_format(b, "%s|%lld|%lld", names[kind], (long long)gs_segment_value(s, i, 0),
                  (long long)gs_segment_value(s, i, 1));
    if (kind == GS_TABLE_SAMPLES) {
        const struct gs_gpu *const g = &d->gpu[s->owner];
        const struct gs_str text[] = {d->host.text[g->host], g->serial, g->uuid, g->index, g->job};
        for (size_t k = 0; k < COUNT_OF(text); k++) {
            gs_buf_char(b, '|');
            gs_buf_escaped(b, text[k], 0);
        }
        for (uint32_t m = 0; m < d->n_metrics; m++)
            gs_buf_format(b, "|%s=%lld", d->metric[m]->name,
                          (long long)gs_segment_value(s, i, GS_SAMPLE_METRIC + m));
    } else if (kind == GS_TABLE_TASKS) {
        *b = (struct gs_buf){.arena = b->arena};
        gs_buf_text(b, "task");
        append_text(b, &d->job, gs_segment_value(s, i, GS_TASK_JOB));
        append_text(b, &d->task, gs_segment_value(s, i, GS_TASK_TASK));
        for (unsigned c = GS_TASK_X; c <= GS_TASK_LEVEL; c++)
            gs_buf_format(b, "|%lld", (long long)gs_segment_value(s, i, c));
        append_attributes(b, d, gs_segment_value(s, i, GS_TASK_ATTRIBUTES));
    } else {
        append_event(b, d, s, i);
    }
}

static int by_line(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list(const struct gs_dataset *d, struct listing *l)
{
    for (int k = 0; k < GS_N_STORED; k++)
        for (uint32_t s = 0; s < d->table[k].n_segments; s++)
            for (uint32_t i = 0; i < d->table[k].segment[s].n_rows; i++) {
                struct gs_buf b = {.arena = &l->arena};
                append_row(&b, d, k, &d->table[k].segment[s], i);
                add_line(l, b.ptr);
            }
    if (l->n > 1)
        qsort(l->line, l->n, sizeof *l->line, by_line);
}

static void must_list_alike(const struct gs_dataset *a, const struct gs_dataset *b)
{
    struct listing x = {0}, y = {0};
    list(a, &x);
    list(b, &y);
    assert_int_equal(x.n, y.n);
    for (size_t i = 0; i < x.n; i++)
        assert_string_equal(x.line[i], y.line[i]);
    gs_arena_release(&x.arena);
    gs_arena_release(&y.arena);
}

/* --- a random run through the door ---------------------------------------------------------------------- */

#define TEXT(literal)                                                                              \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }

static enum gs_status feed_samples(const struct random_run *r, struct gs_rows *rows,
                                   struct gs_err *err)
{
    enum gs_status s = GS_OK;
    for (size_t i = 0; s == GS_OK && i < r->n_samples; i++) {
        const struct run_sample *const one = &r->sample[i];
        char serial[16], uuid[16];
        (void)snprintf(serial, sizeof serial, "0%d%d", one->host, 9 - one->gpu);
        (void)snprintf(uuid, sizeof uuid, "GPU-%d-%d", one->host, one->gpu);
        const struct gs_mapped_sample sample = {.t_ns = INT64_C(1541662890000000000) +
                                                        one->t_ms * GS_NS_PER_MS,
                                                .host = gs_str(run_host[one->host]),
                                                .gpu = gs_str(uuid),
                                                .other[GS_OTHER_SERIAL] = gs_str(serial),
                                                .value = one->value,
                                                .line = i + 2};
        s = gs_rows_sample(rows, &sample, err);
    }
    return s;
}

static enum gs_status feed_marks(const struct random_run *r, struct gs_rows *rows,
                                 struct gs_err *err)
{
    enum gs_status s = GS_OK;
    for (size_t i = 0; s == GS_OK && i < r->n_checkpoints; i++) {
        const struct run_checkpoint *const c = &r->checkpoint[i];
        const struct gs_str host = gs_str(run_host[c->host]);
        const struct gs_mapped_event e = {.start_ns =
                                              INT64_C(1541662890000000000) + c->t_ms * GS_NS_PER_MS,
                                          .stop_ns = GS_MISSING,
                                          .is_mark = true,
                                          .is_stop = c->is_stop,
                                          .event = gs_str(run_event[c->event]),
                                          .host = &host,
                                          .n_hosts = 1,
                                          .job = gs_str(run_job[c->job]),
                                          .task = gs_str(run_task[c->task]),
                                          .line = i + 2};
        s = gs_rows_event(rows, &e, err);
    }
    return s;
}

static enum gs_status feed_tasks(const struct random_run *r, struct gs_rows *rows,
                                 struct gs_err *err)
{
    static struct gs_map_field names[] = {
        {.name = TEXT("x")}, {.name = TEXT("y")}, {.name = TEXT("level")}};
    static const struct gs_source numbered = {.attributes = {names, 3}};
    enum gs_status s = GS_OK;
    rows->source = &numbered;
    for (int j = 0; s == GS_OK && j < RUN_JOBS; j++)
        for (int t = 0; s == GS_OK && t < RUN_TASKS; t++) {
            char text[3][24];
            int64_t x, y, level;
            run_level_of(j, t, &level, &x, &y);
            const int64_t number[] = {x, y, level};
            struct gs_str attribute[3];
            for (int k = 0; k < 3; k++) {
                (void)snprintf(text[k], sizeof text[k], "%lld", (long long)number[k]);
                attribute[k] = gs_str(text[k]);
            }
            if (r->task_known[j][t])
                s = gs_rows_task(rows,
                                 &(struct gs_mapped_task){.job = gs_str(run_job[j]),
                                                          .task = gs_str(run_task[t]),
                                                          .attribute = attribute},
                                 err);
        }
    return s;
}

static enum gs_status read_run(const void *context, struct gs_bytes *source, struct gs_rows *rows,
                               struct gs_err *err)
{
    static const struct gs_source plain;
    (void)source;
    const struct random_run *const r = context;
    rows->source = &plain;
    if (rows->input->kind == GS_TABLE_SAMPLES)
        return feed_samples(r, rows, err);
    return rows->input->kind == GS_TABLE_TASKS ? feed_tasks(r, rows, err)
                                               : feed_marks(r, rows, err);
}

/* clang-format off */
static const struct gs_metric *const fixed[GS_FIXED_METRICS] = {&gs_known_metrics[GS_POWER], &gs_known_metrics[GS_TEMP],
                                                                &gs_known_metrics[GS_GPU_UTIL], &gs_known_metrics[GS_MEM_UTIL]};
/* clang-format on */

static struct gs_input input_of(enum gs_table_kind kind, const struct gs_input_form *form)
{
    return (struct gs_input){.kind = kind, .path = "/dev/null", .name = "form", .form = form};
}

static enum gs_status load_forms(const struct gs_input *input, size_t n, struct gs_arena *arena,
                                 struct gs_dataset *d, struct gs_err *err)
{
    struct gs_notes notes = {.arena = arena};
    const struct gs_load_options o = {.input = input,
                                      .n_inputs = n,
                                      .n_threads = 2,
                                      .places = true,
                                      .need = {true, true, true},
                                      .optional = {true, true, true}};
    return gs_load(&o, arena, d, &notes, err);
}

static void rows_make_the_dataset_that_the_scanner_makes(void **state)
{
    (void)state;
    struct random_run run = {0};
    for (int round = 0; round < 20; round++) {
        random_run_draw(&run);
        random_run_write(&run);
        const struct run_texts texts = random_run_texts(&run);
        struct gs_arena arena = {0};
        struct gs_notes notes = {.arena = &arena};
        struct gs_dataset scanned, fed;
        const struct run_options o = {.n_threads = 2, .places = true};
        assert_int_equal(run_load(&texts, &o, &arena, &scanned, &notes, NULL), GS_OK);
        const struct gs_input_form form = {
            .context = &run, .read = read_run, .metric = fixed, .n_metrics = GS_FIXED_METRICS};
        const struct gs_input input[] = {input_of(GS_TABLE_CHECKPOINTS, &form),
                                         input_of(GS_TABLE_SAMPLES, &form),
                                         input_of(GS_TABLE_TASKS, &form)};
        assert_int_equal(load_forms(input, 3, &arena, &fed, NULL), GS_OK);
        must_list_alike(&scanned, &fed);
        assert_int_equal(fed.input[GS_TABLE_SAMPLES].n_rows, run.n_samples);
        gs_arena_release(&arena);
    }
    random_run_free(&run);
}

/* --- what tables of CSV do not have --------------------------------------------------------------------- */

static enum gs_status read_spans(const void *context, struct gs_bytes *source, struct gs_rows *rows,
                                 struct gs_err *err)
{
    (void)source;
    static struct gs_map_field names[] = {
        {.name = TEXT("lr")}, {.name = TEXT("batch")}, {.name = TEXT("level")}};
    static const struct gs_source named = {.attributes = {names, 3}};
    static const struct gs_str none[3];
    const struct gs_str nodes[] = {TEXT("n2"), TEXT("n1"), TEXT("n2")},
                        gpus[] = {TEXT("1"), TEXT("0")},
                        attribute[] = {TEXT("0.1"), TEXT("32"), {NULL, 0}},
                        of_task[] = {TEXT("0.1"), {NULL, 0}, TEXT("4")};
    const int64_t metrics[] = {300, GS_MISSING, 7};
    const struct gs_mapped_event event[] = {{.line = 1,
                                             .start_ns = 1,
                                             .stop_ns = 2,
                                             .event = TEXT("two"),
                                             .host = nodes,
                                             .n_hosts = 3,
                                             .attribute = none},
                                            {.line = 2,
                                             .start_ns = 3,
                                             .stop_ns = 4,
                                             .event = TEXT("all"),
                                             .gpu = gpus,
                                             .n_gpus = 2,
                                             .attribute = attribute},
                                            {.line = 3,
                                             .start_ns = 9,
                                             .stop_ns = GS_MISSING,
                                             .is_mark = true,
                                             .is_stop = true,
                                             .event = TEXT("end"),
                                             .job = TEXT("j1"),
                                             .task = TEXT("t"),
                                             .attribute = none}};
    const struct gs_str n1 = TEXT("n1"), n2 = TEXT("n2"), g = TEXT("G");
    const struct gs_mapped_sample sample[] = {
        /* a GPU that the first leaves without a UUID has an index all the same */
        {.t_ns = 5, .host = n1, .other[GS_OTHER_INDEX] = TEXT("0"), .value = metrics},
        {.t_ns = 6, .host = n2, .gpu = g, .other[GS_OTHER_INDEX] = TEXT("1"), .value = metrics},
        {.t_ns = 7, .host = n2, .gpu = g, .other[GS_OTHER_INDEX] = TEXT("3"), .value = metrics},
        {.t_ns = 8,
         .host = n2,
         .gpu = g,
         .other[GS_OTHER_INDEX] = TEXT("3"),
         .job = TEXT("j1"),
         .value = metrics}};
    (void)context;
    rows->source = &named;
    rows->gpu_pool = GS_POOL_UUID;
    enum gs_status s = GS_OK;
    for (size_t i = 0; s == GS_OK && i < COUNT_OF(event); i++)
        s = gs_rows_event(rows, &event[i], err);
    for (size_t i = 0; s == GS_OK && i < COUNT_OF(sample); i++)
        s = gs_rows_sample(rows, &sample[i], err);
    if (s == GS_OK)
        s = gs_rows_task(
            rows, &(struct gs_mapped_task){.task = TEXT("t"), .attribute = of_task, .line = 4},
            err);
    return s;
}

static void events_may_hold_for_several_hosts_and_for_all(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_dataset d;
    const struct gs_metric *const metric[] = {gs_metric_find(gs_str("fan_pct")),
                                              &gs_known_metrics[GS_TEMP],
                                              gs_metric_new(gs_str("loss"), &arena)};
    const struct gs_input_form form = {.read = read_spans, .metric = metric, .n_metrics = 3};
    const struct gs_input input = input_of(GS_TABLE_CHECKPOINTS, &form);
    assert_int_equal(load_forms(&input, 1, &arena, &d, NULL), GS_OK);
    static const char *const want[] = {
        "mark|9|1|n1|end|j1|t|||",
        "mark|9|1|n2|end|j1|t|||copy",
        "sample|5|-9223372036854775808|n1||0|0||power_w=-9223372036854775808|temp_c=-"
        "9223372036854775808|"
        "gpu_util_pct=-9223372036854775808|mem_util_pct=-9223372036854775808|fan_pct=300|loss=7",
        "sample|6|-9223372036854775808|n2||G|3||power_w=-9223372036854775808|temp_c=-"
        "9223372036854775808|"
        "gpu_util_pct=-9223372036854775808|mem_util_pct=-9223372036854775808|fan_pct=300|loss=7",
        "sample|7|-9223372036854775808|n2||G|3||power_w=-9223372036854775808|temp_c=-"
        "9223372036854775808|"
        "gpu_util_pct=-9223372036854775808|mem_util_pct=-9223372036854775808|fan_pct=300|loss=7",
        "sample|8|-9223372036854775808|n2||G|3|j1|power_w=-9223372036854775808|temp_c=-"
        "9223372036854775808|"
        "gpu_util_pct=-9223372036854775808|mem_util_pct=-9223372036854775808|fan_pct=300|loss=7",
        "span|1|2|n1|two|||||", /* of its three hosts one is there twice */
        "span|1|2|n2|two|||||copy",
        "span|3|4|n1|all|||0|batch=32;lr=0.1;|",
        "span|3|4|n2|all|||1|batch=32;lr=0.1;|copy", /* each GPU on the host that has it */
        "task||t|-9223372036854775808|-9223372036854775808|4|lr=0.1;",
    };
    struct listing l = {0};
    list(&d, &l);
    for (size_t i = 0; i < l.n && i < COUNT_OF(want); i++)
        assert_string_equal(l.line[i], want[i]);
    assert_int_equal(l.n, COUNT_OF(want));
    assert_int_equal(d.n_gpus, 3);
    assert_int_equal(d.n_metrics, GS_FIXED_METRICS + 2);
    assert_true(d.has_metric[GS_TEMP] && !d.has_metric[GS_POWER]);
    assert_int_equal(d.input[0].n_rows, 8);
    const struct gs_table *const spans = &d.table[GS_TABLE_SPANS];
    for (uint32_t k = 0; k < spans->n_segments; k++)
        for (uint32_t i = 0; i < spans->segment[k].n_rows; i++) {
            const struct gs_segment *const s = &spans->segment[k];
            const bool first = gs_segment_value(s, i, GS_SPAN_START) == 1;
            const int64_t set = gs_segment_value(s, i, GS_SPAN_ATTRIBUTES);
            assert_string_equal(place_text(&d, gs_segment_value(s, i, GS_SPAN_PLACE), &arena),
                                first ? "form:1" : "form:2");
            assert_true(first ? set == GS_MISSING
                              : gs_str_eq(gs_attribute(&d, set, gs_str("lr")), gs_str("0.1")));
            assert_null(gs_attribute(&d, set, gs_str("l")).ptr);
        }
    gs_arena_release(&l.arena);
    gs_arena_release(&arena);
}

static enum gs_status read_badly(const void *context, struct gs_bytes *source, struct gs_rows *rows,
                                 struct gs_err *err)
{
    (void)source;
    if (context != NULL)
        return gs_rows_event(
            rows, &(struct gs_mapped_event){.start_ns = 2, .stop_ns = 1, .line = 3}, err);
    return gs_rows_reject(rows, 3, "'x' is not a time", gs_str("x,1"), err);
}

static enum gs_status count_reject(void *context, const struct gs_reject *row, struct gs_err *err)
{
    (void)err;
    ++*(int *)context;
    assert_string_equal(row->name, "form");
    assert_int_equal(row->line, 3);
    assert_string_equal(row->reason, "'x' is not a time");
    assert_true(gs_str_eq(row->raw, gs_str("x,1")));
    return GS_OK;
}

static void a_malformed_row_is_an_error_or_set_aside(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_dataset d;
    struct gs_err err = {0};
    struct gs_input_form form = {.read = read_badly};
    const struct gs_input input = input_of(GS_TABLE_CHECKPOINTS, &form);
    assert_int_equal(load_forms(&input, 1, &arena, &d, &err), GS_ERR_DATA);
    assert_string_equal(err.text, "form:3: 'x' is not a time");
    int n = 0;
    struct gs_notes notes = {.arena = &arena};
    const struct gs_load_options o = {.input = &input,
                                      .n_inputs = 1,
                                      .need = {true},
                                      .reject = count_reject,
                                      .reject_context = &n};
    assert_int_equal(gs_load(&o, &arena, &d, &notes, NULL), GS_OK);
    assert_int_equal(n, 1);
    assert_true(d.input[0].n_rejected == 1 && d.input[0].n_rows == 0);
    form.context = &n;
    assert_int_equal(load_forms(&input, 1, &arena, &d, &err), GS_ERR_DATA);
    assert_string_equal(err.text, "form:3: stops before it starts");
    gs_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_make_the_dataset_that_the_scanner_makes),
        cmocka_unit_test(events_may_hold_for_several_hosts_and_for_all),
        cmocka_unit_test(a_malformed_row_is_an_error_or_set_aside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
