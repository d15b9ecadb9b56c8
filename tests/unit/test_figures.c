/* test_figures.c - what a picture leaves out, cuts and marks, by its script. */
#include "render_fixture.h"

#include "gnuplot/gnuplot.h"

static struct gs_arena arena;

static int leave(void **state)
{
    (void)state;
    gs_arena_release(&arena);
    return 0;
}

static const struct gs_column_spec specs[] = {
    {"name", "name", "", GS_TYPE_TEXT, 0, "", false},  {"x", "x", "", GS_TYPE_INT, 0, "", false},
    {"y", "power", "W", GS_TYPE_REAL, 0, "", false},   {"low", "low", "W", GS_TYPE_REAL, 0, "", false},
    {"high", "high", "W", GS_TYPE_REAL, 0, "", false}, {"standing", "standing", "", GS_TYPE_TEXT, 0, "", false},
};

static struct gs_frame *frame_of(size_t n)
{
    struct gs_frame *f;
    assert_int_equal(gs_frame_new(&arena, "test", "", specs, COUNT_OF(specs), n, NULL, &f, NULL), GS_OK);
    return f;
}

static const char *script_of(const struct gs_frame *f, const struct gs_panel *panel, int width_px)
{
    const struct gs_plot plot = {.name = "figure", .title = "one two three", .n_panels = 1, .panels = panel};
    const struct gs_draw_options o = {.width_px = width_px};
    struct gs_buf b = {.arena = &arena};
    assert_int_equal(gs_plot_script(f, &plot, &o, &b, NULL), GS_OK);
    return b.ptr;
}

static void has(const char *script, const char *words)
{
    if (strstr(script, words) == NULL)
        fail_msg("'%s' is not in %s", words, script);
}

/* 100 W among 10 W: the axis ends at 10 W and what a pad adds. */
static void a_far_reading_does_not_stretch_the_axis(void **state)
{
    (void)state;
    static const struct gs_panel lines = {
        .kind = GS_PLOT_LINES, .x = "x", .y = "y", .from_zero = true, .far_column = "standing", .far_value = "far"};
    struct gs_frame *const f = frame_of(4);
    for (size_t r = 0; r < 4; r++) {
        gs_frame_set_int(f, r, 1, (int64_t)r);
        gs_frame_set_real(f, r, 2, r == 2 ? 100 : 10);
        gs_frame_set_text(f, r, 5, gs_str(r == 2 ? "far" : "kept"));
    }
    const char *const script = script_of(f, &lines, 0);
    has(script, "set yrange [0:10.7]");
    has(script, "(1 beyond, up to 100 W)");
    has(script, "$gs1_1 << END_OF_NUMBERS\n2 10.7 \n");
}

static void bands_lie_behind_and_widen_nothing(void **state)
{
    (void)state;
    static const struct gs_mark band = {.kind = GS_MARK_BAND, .at = 1, .to = 50};
    static const struct gs_panel lines = {.kind = GS_PLOT_LINES, .x = "x", .y = "y", .marks = &band, .n_marks = 1};
    struct gs_frame *const f = frame_of(3);
    for (size_t r = 0; r < 3; r++) {
        gs_frame_set_int(f, r, 1, (int64_t)r);
        gs_frame_set_real(f, r, 2, 5);
    }
    const char *const script = script_of(f, &lines, 0);
    has(script, "set xrange [0:2]");
    has(script, "rectangle from first 1, graph 0 to first 50, graph 1 behind");
}

/* All begin with 29 letters, of which 5 stay. */
static void what_all_names_begin_with_goes_first(void **state)
{
    (void)state;
    static const struct gs_panel bars = {.kind = GS_PLOT_BARS, .x = "name", .y = "y"};
    static const char *const name[] = {"abcdefghijklmnopqrst-number-01", "abcdefghijklmnopqrst-number-02"};
    struct gs_frame *const f = frame_of(2);
    for (size_t r = 0; r < 2; r++) {
        gs_frame_set_text(f, r, 0, gs_str(name[r]));
        gs_frame_set_real(f, r, 2, 1);
    }
    has(script_of(f, &bars, 0), "set ytics scale 0 ('\xE2\x80\xA6"
                                "ber-01' 0, '\xE2\x80\xA6"
                                "ber-02' 1)");
}

/* 140 pixels hold 12 letters of a title. */
static void a_title_wider_than_its_picture_is_broken(void **state)
{
    (void)state;
    static const struct gs_panel bars = {.kind = GS_PLOT_BARS, .x = "name", .y = "y"};
    struct gs_frame *const f = frame_of(1);
    gs_frame_set_real(f, 0, 2, 1);
    has(script_of(f, &bars, 140), "set label 'one two'.\"\\n\".'three' at screen");
    has(script_of(f, &bars, 720), "set label 'one two three' at screen");
}

static void points_and_clusters_carry_their_intervals(void **state)
{
    (void)state;
    static const struct gs_panel points = {
        .kind = GS_PLOT_POINTS_ERROR, .x = "x", .y = "y", .low = "low", .high = "high"};
    static const struct gs_panel clusters = {
        .kind = GS_PLOT_HISTOGRAM_GROUPED, .x = "x", .y = "y", .group = "name", .low = "low", .high = "high"};
    struct gs_frame *const f = frame_of(2);
    for (size_t r = 0; r < 2; r++) {
        gs_frame_set_text(f, r, 0, gs_str("g"));
        gs_frame_set_int(f, r, 1, (int64_t)r);
        gs_frame_set_real(f, r, 2, 8);
    }
    gs_frame_set_real(f, 0, 3, 6);
    gs_frame_set_real(f, 0, 4, 9);
    has(script_of(f, &points, 0), "END_OF_NUMBERS\n0 8 6 9 \n1 8 8 8 \n");
    const char *const script = script_of(f, &clusters, 0);
    has(script, "END_OF_NUMBERS\n0 8 6 9 \nEND_OF_NUMBERS");
    has(script, "with yerrorbars");
}

/* Twelve names, of which five are there twice: seven keep a colour, in the order in which they come. */
static void a_map_of_many_names_colours_the_commonest(void **state)
{
    (void)state;
    static const struct gs_panel map = {.kind = GS_PLOT_HEAT, .x = "x", .y = "y", .value = "name"};
    struct gs_frame *const f = frame_of(17);
    for (size_t r = 0; r < 17; r++) {
        static const char *const name[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
        gs_frame_set_text(f, r, 0, gs_str(name[r < 12 ? r : r - 5]));
        gs_frame_set_int(f, r, 1, (int64_t)r);
        gs_frame_set_real(f, r, 2, 0);
    }
    const char *const script = script_of(f, &map, 0);
    has(script, "set cbtics ('a' 0, 'b' 1, 'h' 2, 'i' 3, 'j' 4, 'k' 5, 'l' 6, '5 others' 7)");
    has(script, "7 gs_grid, 8 gs_grid)");
    has(script, "END_OF_NUMBERS\n0 1 7 7 7 7 7 2 3 4 5 6 2 3 4 5 6 \n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_far_reading_does_not_stretch_the_axis, leave),
        cmocka_unit_test_teardown(bands_lie_behind_and_widen_nothing, leave),
        cmocka_unit_test_teardown(what_all_names_begin_with_goes_first, leave),
        cmocka_unit_test_teardown(a_title_wider_than_its_picture_is_broken, leave),
        cmocka_unit_test_teardown(points_and_clusters_carry_their_intervals, leave),
        cmocka_unit_test_teardown(a_map_of_many_names_colours_the_commonest, leave),
    };
    return cmocka_run_group_tests_name("figures", tests, NULL, NULL);
}
