/* test_spans.c - stretches of time beside a log, in their three forms. */
#include "study_fixture.h"

#include "input/import/spans_csv.h"
#include "base/num/timestamp.h"

static void read_spans(struct fixture *f, struct gs_span_list *s)
{
    assert_int_equal(
        gs_spans_read(f->path, &(struct gs_zone){0}, &f->arena, &f->out.notes, s, &f->err), GS_OK);
}

static void assert_span(const struct gs_span_list *s, size_t i, const char *name, int64_t start_s,
                        int64_t stop_s)
{
    assert_true(i < s->n);
    assert_true(gs_str_eq(s->span[i].name, gs_str(name)));
    assert_int_equal(s->span[i].start_ns, start_s * GS_NS_PER_S);
    assert_int_equal(s->span[i].stop_ns, stop_s * GS_NS_PER_S);
}

static void rows_of_start_and_stop_are_spans_in_order_of_time(void **state)
{
    (void)state;
    struct fixture *const f = fixture_open("name,end,START\nb,30,20\na,15,10\nc,15,10\n");
    struct gs_span_list s;
    read_spans(f, &s);
    assert_int_equal(s.n, 3);
    assert_span(&s, 0, "a", 10, 15);
    assert_span(&s, 1, "c", 10, 15);
    assert_span(&s, 2, "b", 20, 30);
    fixture_close(f);
}

/* Of both forms that have places; a cell that says nothing means all of them. */
static void spans_know_their_host_and_gpu(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "start,stop,name,host,gpu\n1,2,e,a,0\n3,4,e,b,N/A\n5,6,e,,1\n",
        "timestamp,eventType,name,host,gpu\n1,START,e,a,0\n3,START,e,b,N/A\n5,START,e,,1\n"
        "2,STOP,e,a,0\n4,STOP,e,b,N/A\n6,STOP,e,,1\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct fixture *const f = fixture_open(texts[i]);
        struct gs_span_list s;
        read_spans(f, &s);
        assert_int_equal(s.n, 3);
        assert_true(gs_str_eq(s.span[0].host, gs_str("a")));
        assert_true(gs_str_eq(s.span[0].gpu, gs_str("0")));
        assert_true(gs_str_eq(s.span[1].host, gs_str("b")));
        assert_null(s.span[1].gpu.ptr);
        assert_null(s.span[2].host.ptr);
        assert_true(gs_str_eq(s.span[2].gpu, gs_str("1")));
        fixture_close(f);
    }
}

static void events_pair_the_kth_start_with_the_kth_stop(void **state)
{
    (void)state;
    struct fixture *const f = fixture_open(
        "timestamp,eventName,eventType\n"
        "40,r,STOP\n10,r,START\n20,r,STOP\n20,r,START\n12,u,START\n13,u,STOP\n50,r,START\n"
        "60,w,STOP\n");
    struct gs_span_list s;
    read_spans(f, &s);
    assert_int_equal(s.n, 3);
    assert_span(&s, 0, "r", 10, 20);
    assert_span(&s, 1, "u", 12, 13);
    assert_span(&s, 2, "r", 20, 40);
    assert_true(has_note(f, "2 marks without a partner left out"));
    fixture_close(f);
}

static void bare_instants_start_and_stop_in_turn_and_doubles_count_once(void **state)
{
    (void)state;
    struct fixture *const f =
        fixture_open("timestamp\n1689325967000000\n1689325967000000\n1689325968000000\n"
                     "1689325968000000\n1689325970000000\n1689325970000000\n1689325969000000\n"
                     "1689325969000000\n1689325971000000\n");
    struct gs_span_list s;
    read_spans(f, &s);
    assert_int_equal(s.n, 2);
    assert_span(&s, 0, NULL, 1689325967, 1689325968);
    assert_span(&s, 1, NULL, 1689325969, 1689325970);
    assert_true(has_note(f, "1 mark without a partner left out"));
    fixture_close(f);
}

static enum gs_status read_table(struct fixture *f)
{
    struct gs_span_list s;
    return gs_spans_read(f->path, &(struct gs_zone){0}, &f->arena, &f->out.notes, &s, &f->err);
}

static void bad_tables_are_named_by_line_and_column(void **state)
{
    (void)state;
    static const struct refusal cases[] = {
        {"start,stop\n1,2\n3,then\n", ":3: stop: 'then' is not a time"},
        {"start,stop\n5,2\n", ":2: stops before it starts"},
        {"timestamp,eventType\n1,PAUSE\n", ":2: eventType: 'PAUSE' is neither START nor STOP"},
        {"timestamp\n1\n", ": holds no stretch of time with a start and a stop"},
        {"start,stop\n", ": holds no stretch of time with a start and a stop"},
        {"a,b\n1,2\n",
         ":1: no columns 'start' and 'stop', nor 'timestamp' with or without 'eventType'"},
    };
    assert_refused(read_table, cases, COUNT_OF(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_start_and_stop_are_spans_in_order_of_time),
        cmocka_unit_test(spans_know_their_host_and_gpu),
        cmocka_unit_test(events_pair_the_kth_start_with_the_kth_stop),
        cmocka_unit_test(bare_instants_start_and_stop_in_turn_and_doubles_count_once),
        cmocka_unit_test(bad_tables_are_named_by_line_and_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
