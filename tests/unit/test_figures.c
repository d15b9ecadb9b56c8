/* test_figures.c - what a picture leaves out, cuts and marks, by its script. */
#include "render_fixture.h"

#include <math.h>

#include "output/chart/figure.h"
#include "output/gnuplot/gnuplot.h"

static struct gs_arena arena;

static int leave(void **state)
{
    (void)state;
    gs_arena_release(&arena);
    return 0;
}

static const struct gs_column_spec specs[] = {
    {.name = "name", .label = "name", .unit = "", .type = GS_TYPE_TEXT, .how = ""},
    {.name = "x", .label = "x", .unit = "", .type = GS_TYPE_INT, .how = ""},
    {.name = "y", .label = "power", .unit = "W", .type = GS_TYPE_REAL, .how = ""},
    {.name = "low", .label = "low", .unit = "W", .type = GS_TYPE_REAL, .how = ""},
    {.name = "high", .label = "high", .unit = "W", .type = GS_TYPE_REAL, .how = ""},
    {.name = "standing", .label = "standing", .unit = "", .type = GS_TYPE_TEXT, .how = ""},
};

static struct gs_frame *frame_of(size_t n)
{
    struct gs_frame *f;
    assert_int_equal(gs_frame_new(&arena,
                                  &(struct gs_frame_head){"test", "", specs, COUNT_OF(specs)}, n,
                                  NULL, &f, NULL),
                     GS_OK);
    return f;
}

static const char *script_of(const struct gs_frame *f, const struct gs_panel *panel, int width_px)
{
    const struct gs_plot plot = {
        .name = "figure", .title = "one two three", .n_panels = 1, .panels = panel};
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
    static const struct gs_panel lines = {.kind = GS_PLOT_LINES,
                                          .x = GS_COL_X,
                                          .y = GS_COL_Y,
                                          .from_zero = true,
                                          .far_column = GS_COL_STANDING,
                                          .far_value = "far"};
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
    static const struct gs_panel lines = {
        .kind = GS_PLOT_LINES, .x = GS_COL_X, .y = GS_COL_Y, .marks = &band, .n_marks = 1};
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
    static const struct gs_panel bars = {.kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y};
    static const char *const name[] = {"abcdefghijklmnopqrst-number-01",
                                       "abcdefghijklmnopqrst-number-02"};
    struct gs_frame *const f = frame_of(2);
    for (size_t r = 0; r < 2; r++) {
        gs_frame_set_text(f, r, 0, gs_str(name[r]));
        gs_frame_set_real(f, r, 2, 1);
    }
    has(script_of(f, &bars, 0), "set ytics scale 0 ('\xE2\x80\xA6"
                                "ber-01' 0, '\xE2\x80\xA6"
                                "ber-02' 1)");
}

/* 120 pixels hold 12 letters of a title. */
static void a_title_wider_than_its_picture_is_broken(void **state)
{
    (void)state;
    static const struct gs_panel bars = {.kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y};
    struct gs_frame *const f = frame_of(1);
    gs_frame_set_real(f, 0, 2, 1);
    has(script_of(f, &bars, 120), "set label 'one two'.\"\\n\".'three' at screen");
    has(script_of(f, &bars, 720), "set label 'one two three' at screen");
}

static void points_and_clusters_carry_their_intervals(void **state)
{
    (void)state;
    static const struct gs_panel points = {.kind = GS_PLOT_POINTS_ERROR,
                                           .x = GS_COL_X,
                                           .y = GS_COL_Y,
                                           .low = GS_COL_AT(3),
                                           .high = GS_COL_AT(4)};
    static const struct gs_panel clusters = {.kind = GS_PLOT_HISTOGRAM_GROUPED,
                                             .x = GS_COL_X,
                                             .y = GS_COL_Y,
                                             .group = GS_COL_AT(0),
                                             .low = GS_COL_AT(3),
                                             .high = GS_COL_AT(4)};
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
    has(script, "with xyerrorbars"); /* yerrorbars blanks out a disc around the end of the bar */
}

/* Twelve names, of which five are there twice: seven keep a colour, in the order in which they come. */
static void a_map_of_many_names_colours_the_commonest(void **state)
{
    (void)state;
    static const struct gs_panel map = {
        .kind = GS_PLOT_HEAT, .x = GS_COL_X, .y = GS_COL_Y, .value = GS_COL_AT(0)};
    struct gs_frame *const f = frame_of(17);
    for (size_t r = 0; r < 17; r++) {
        static const char *const name[] = {"a", "b", "c", "d", "e", "f",
                                           "g", "h", "i", "j", "k", "l"};
        gs_frame_set_text(f, r, 0, gs_str(name[r < 12 ? r : r - 5]));
        gs_frame_set_int(f, r, 1, (int64_t)r);
        gs_frame_set_real(f, r, 2, 0);
    }
    const char *const script = script_of(f, &map, 0);
    has(script, "set cbtics ('a' 0, 'b' 1, 'h' 2, 'i' 3, 'j' 4, 'k' 5, 'l' 6, '5 others' 7)");
    has(script, "7 gs_grid, 8 gs_grid)");
    has(script, "END_OF_NUMBERS\n0 1 7 7 7 7 7 2 3 4 5 6 2 3 4 5 6 \n");
}

static void lacks(const char *script, const char *words)
{
    if (strstr(script, words) != NULL)
        fail_msg("'%s' is in %s", words, script);
}

/* A frame of names, in this order, each with its power. */
static struct gs_frame *named(size_t n, const char *const *name, const double *power)
{
    struct gs_frame *const f = frame_of(n);
    for (size_t r = 0; r < n; r++) {
        gs_frame_set_text(f, r, 0, gs_str(name[r]));
        gs_frame_set_int(f, r, 1, (int64_t)r);
        gs_frame_set_real(f, r, 2, power[r]);
    }
    return f;
}

/* Place, begin, end and colour of each bar: b is the second colour whatever row it has. */
static void an_event_keeps_its_colour_in_any_order(void **state)
{
    (void)state;
    static const struct gs_panel bars = {.kind = GS_PLOT_BARS,
                                         .x = GS_COL_AT(0),
                                         .y = GS_COL_Y,
                                         .group = GS_COL_AT(0),
                                         .by_name = true};
    static const char *const down[] = {"c", "b", "a"}, *const up[] = {"a", "b", "c"};
    static const double power[] = {7, 8, 9};
    has(script_of(named(3, down, power), &bars, 0), "END_OF_NUMBERS\n0 0 7 3\n1 0 8 2\n2 0 9 1\n");
    has(script_of(named(3, up, power), &bars, 0), "END_OF_NUMBERS\n0 0 7 1\n1 0 8 2\n2 0 9 3\n");
}

/* What other panels draw comes after, so that it takes no colour away. */
static void a_name_of_another_panel_takes_no_colour(void **state)
{
    (void)state;
    static const struct gs_panel bars = {.kind = GS_PLOT_BARS,
                                         .x = GS_COL_AT(0),
                                         .y = GS_COL_Y,
                                         .group = GS_COL_AT(0),
                                         .by_name = true,
                                         .only_column = GS_COL_STANDING,
                                         .only_value = "task"};
    static const struct gs_panel grey = {.kind = GS_PLOT_BARS,
                                         .x = GS_COL_AT(0),
                                         .y = GS_COL_Y,
                                         .plain = true,
                                         .only_column = GS_COL_STANDING,
                                         .only_value = "idle"};
    static const char *const name[] = {"between", "load", "after"};
    static const double power[] = {7, 8, 9};
    struct gs_frame *const f = named(3, name, power);
    for (size_t r = 0; r < 3; r++)
        gs_frame_set_text(f, r, 5, gs_str(r == 1 ? "task" : "idle"));
    has(script_of(f, &bars, 0), "END_OF_NUMBERS\n0 0 8 1\nEND");
    has(script_of(f, &grey, 0), "END_OF_NUMBERS\n0 0 7 8\n1 0 9 8\nEND");
}

/* "slow" is the third colour though it alone is there, and the key names only what is there. */
static void a_verdict_keeps_its_colour_and_is_keyed_alone(void **state)
{
    (void)state;
    static const char *const order[] = {"ok", "hot", "slow", NULL};
    static const struct gs_panel points = {.kind = GS_PLOT_SCATTER,
                                           .x = GS_COL_X,
                                           .y = GS_COL_Y,
                                           .group = GS_COL_AT(0),
                                           .order = order};
    static const struct gs_panel bars = {
        .kind = GS_PLOT_BARS, .x = GS_COL_X, .y = GS_COL_Y, .group = GS_COL_AT(0), .order = order};
    static const char *const name[] = {"slow", "other"};
    static const double power[] = {7, 8};
    const char *script = script_of(named(2, name, power), &points, 0);
    has(script, "lt 3 title 'slow'");
    has(script, "lt 4 title 'other'");
    lacks(script, "title 'ok'");
    script = script_of(named(2, name, power), &bars, 0);
    has(script, "END_OF_NUMBERS\n0 0 7 3\n1 0 8 4\n");
    has(script, "lt 3 title 'slow'");
    lacks(script, "title 'ok'");
}

/* Nothing is known of `low`: that panel is not drawn, and the title says so. Of nothing but such panels one stays. */
static void a_panel_without_data_is_left_out_and_named(void **state)
{
    (void)state;
    static const struct gs_panel panels[] = {
        {.kind = GS_PLOT_BARS, .title = "Power", .x = GS_COL_AT(0), .y = GS_COL_Y},
        {.kind = GS_PLOT_LINES,
         .title = "Low",
         .x = GS_COL_X,
         .y = GS_COL_AT(3),
         .from_zero = true}};
    static const char *const name[] = {"a"};
    static const double power[] = {7}, nothing[] = {(double)NAN};
    const struct gs_plot plot = {
        .name = "figure", .title = "both", .n_panels = 2, .panels = panels, .height_px = 999};
    struct gs_buf some = {.arena = &arena}, none = {.arena = &arena};
    assert_int_equal(
        gs_plot_script(named(1, name, power), &plot, &(struct gs_draw_options){0}, &some, NULL),
        GS_OK);
    has(some.ptr, "'both (no data: Low)'");
    lacks(some.ptr, "multiplot");
    lacks(some.ptr, "'no data'");
    lacks(some.ptr, ",999 ");
    assert_int_equal(
        gs_plot_script(named(1, name, nothing), &plot, &(struct gs_draw_options){0}, &none, NULL),
        GS_OK);
    has(none.ptr, "'no data'");
    has(none.ptr, "(no data: Power, Low)");
    has(none.ptr, "unset border\n");
    lacks(none.ptr, "multiplot");
}

static void bars_of_nothing_stand_at_the_beginning(void **state)
{
    (void)state;
    static const struct gs_panel bars = {.kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y};
    static const char *const name[] = {"a", "b"};
    static const double power[] = {0, 0};
    has(script_of(named(2, name, power), &bars, 0), "set xrange [0:1.");
}

/* Of hollow bars the outline is whole, whatever the dashes of the series. */
static void hollow_bars_have_whole_outlines(void **state)
{
    (void)state;
    static const struct gs_panel bars = {
        .kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y, .count = GS_COL_X};
    static const struct gs_panel clusters = {.kind = GS_PLOT_HISTOGRAM_GROUPED,
                                             .x = GS_COL_X,
                                             .y = GS_COL_Y,
                                             .group = GS_COL_AT(0),
                                             .count = GS_COL_X};
    static const char *const name[] = {"a", "b"};
    static const double power[] = {7, 8};
    has(script_of(named(2, name, power), &bars, 0),
        "lc variable dt 1 fill transparent solid 0 border");
    has(script_of(named(2, name, power), &clusters, 0),
        "fill transparent solid 0 border lt 2 dt 1");
}

/* gnuplot draws no image of one row. */
static void a_map_of_one_row_is_drawn(void **state)
{
    (void)state;
    static const struct gs_panel map = {
        .kind = GS_PLOT_HEAT, .x = GS_COL_X, .y = GS_COL_AT(0), .value = GS_COL_Y};
    static const char *const name[] = {"one", "one", "one"};
    static const double power[] = {7, 8, 9};
    const char *const script = script_of(named(3, name, power), &map, 0);
    has(script, "END_OF_NUMBERS\n7 8 9 \n7 8 9 \nEND");
    has(script, "set y2range [-0.5:1.5]");
}

static void a_bare_number_says_what_it_counts(void **state)
{
    (void)state;
    static const struct gs_panel bars = {.kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y};
    static const struct gs_panel facets = {
        .kind = GS_PLOT_SCATTER, .x = GS_COL_X, .y = GS_COL_Y, .facet = GS_COL_AT(0)};
    static const char *const name[] = {"0", "total"};
    static const double power[] = {7, 8};
    has(script_of(named(2, name, power), &bars, 0), "('name 0' 0, 'total' 1)");
    has(script_of(named(2, name, power), &facets, 0), "set title 'name 0'");
}

/* From 1 W to 10 MW: each tic in the multiple that suits it, and the label without one. */
static void tics_over_many_decades_have_units(void **state)
{
    (void)state;
    static const struct gs_panel bars = {
        .kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y, .log_y = true};
    static const char *const name[] = {"a", "b"};
    static const double power[] = {1, 1e7};
    const char *const script = script_of(named(2, name, power), &bars, 0);
    has(script, "'1 W' 1,");
    has(script, "'1 kW' 1000,");
    has(script, "'1 MW' ");
    has(script, "set xlabel 'power'\n");
}

static void what_is_cut_off_is_said(void **state)
{
    (void)state;
    enum { N = 70 };
    static const struct gs_panel facets = {
        .kind = GS_PLOT_SCATTER, .x = GS_COL_X, .y = GS_COL_Y, .facet = GS_COL_X};
    struct gs_frame *const f = frame_of(N);
    for (size_t r = 0; r < N; r++) {
        gs_frame_set_int(f, r, 1, (int64_t)r);
        gs_frame_set_real(f, r, 2, 5);
    }
    has(script_of(f, &facets, 0), "'one two three (the first 64 of 70)'");
}

/* Points at the right end of the line, above it: the text goes under it. */
static void the_text_of_a_line_avoids_points(void **state)
{
    (void)state;
    static const struct gs_mark mark = {.kind = GS_MARK_Y, .at = 5, .text = "mean"};
    static const struct gs_panel points = {
        .kind = GS_PLOT_SCATTER, .x = GS_COL_X, .y = GS_COL_Y, .marks = &mark, .n_marks = 1};
    static const char *const name[] = {"a", "a", "a", "a"};
    static const double over[] = {0, 9, 9, 5.1}, beside[] = {0, 9, 9, 0};
    has(script_of(named(4, name, over), &points, 0),
        "'mean' at graph 0.99, first 5 right offset 0,char -0.6");
    has(script_of(named(4, name, beside), &points, 0),
        "'mean' at graph 0.99, first 5 right offset 0,char 0.6");
}

/* No point lies where the text of the mean would stand, but what joins two does: it goes to the left. */
static void the_text_of_a_line_avoids_what_joins_points(void **state)
{
    (void)state;
    static const struct gs_mark mark = {.kind = GS_MARK_Y, .at = 5, .text = "mean"};
    static const struct gs_panel line = {
        .kind = GS_PLOT_LINES, .x = GS_COL_X, .y = GS_COL_Y, .marks = &mark, .n_marks = 1};
    static const char *const name[] = {"a", "a", "a", "a"};
    static const double power[] = {0, 0, 9, 3};
    has(script_of(named(4, name, power), &line, 400),
        "'mean' at graph 0.01, first 5 left offset 0,char 0.6");
}

/* The line runs through both ends of the mean: its text stands over the middle, where nothing is. */
static void the_text_of_a_line_may_stand_in_its_middle(void **state)
{
    (void)state;
    static const struct gs_mark mark = {.kind = GS_MARK_Y, .at = 5, .text = "mean"};
    static const struct gs_panel line = {
        .kind = GS_PLOT_LINES, .x = GS_COL_X, .y = GS_COL_Y, .marks = &mark, .n_marks = 1};
    static const char *const name[] = {"a", "a", "a", "a", "a", "a", "a", "a", "a", "a"};
    static const double power[] = {5.2, 4.8, 9, 9, 9, 9, 9, 9, 4.8, 5.2};
    has(script_of(named(10, name, power), &line, 400),
        "'mean' at graph 0.5, first 5 center offset 0,char 0.6");
}

/* Two series at windows 0 and 1, the same but for their names: each is a little beside its window. */
static void points_at_one_place_stand_side_by_side(void **state)
{
    (void)state;
    static const struct gs_panel points = {.kind = GS_PLOT_POINTS_ERROR,
                                           .x = GS_COL_X,
                                           .y = GS_COL_Y,
                                           .low = GS_COL_AT(3),
                                           .high = GS_COL_AT(4),
                                           .group = GS_COL_AT(0)};
    static const char *const name[] = {"a", "a", "b", "b"};
    static const double power[] = {7, 8, 7, 8};
    struct gs_frame *const f = named(4, name, power);
    for (size_t r = 0; r < 4; r++) {
        gs_frame_set_int(f, r, 1, (int64_t)(r % 2));
        gs_frame_set_real(f, r, 3, power[r] - 1);
        gs_frame_set_real(f, r, 4, power[r] + 1);
    }
    const char *const script = script_of(f, &points, 0);
    has(script, "$gs1_0 << END_OF_NUMBERS\n-0.08 7 6 8 \n0.92 8 7 9 \nEND");
    has(script, "$gs1_1 << END_OF_NUMBERS\n0.08 7 6 8 \n1.08 8 7 9 \nEND");
}

/* 40 bars above a cloud, on a phone: 110 + 40 * 22 px of bars and 330 of points, under 30 of a title. */
static void panels_above_one_another_have_their_own_heights(void **state)
{
    (void)state;
    static const struct gs_panel panels[] = {
        {.kind = GS_PLOT_BARS, .title = "Cost", .x = GS_COL_AT(0), .y = GS_COL_Y},
        {.kind = GS_PLOT_SCATTER, .title = "Points", .x = GS_COL_X, .y = GS_COL_Y}};
    const struct gs_plot plot = {.name = "figure", .title = "two", .n_panels = 2, .panels = panels};
    struct gs_frame *const f = frame_of(40);
    for (size_t r = 0; r < 40; r++) {
        gs_frame_set_text(f, r, 0, gs_str(r % 2 == 0 ? "a" : "b"));
        gs_frame_set_int(f, r, 1, (int64_t)r);
        gs_frame_set_real(f, r, 2, (double)r);
    }
    const struct gs_draw_options o = {.width_px = 400};
    struct gs_buf b = {.arena = &arena};
    assert_int_equal(gs_plot_script(f, &plot, &o, &b, NULL), GS_OK);
    has(b.ptr, "size 400,1350 ");
    has(b.ptr, "set size 1,0.733333"); /* 990 of 1,350 */
    has(b.ptr, "set size 1,0.244444"); /* 330 */
    lacks(b.ptr, "layout");
}

/* A title of four lines in letters of 14 has the room of five lines of the panel's own, in letters of 11. */
static void a_long_title_keeps_its_room(void **state)
{
    (void)state;
    static const struct gs_panel points = {
        .kind = GS_PLOT_SCATTER, .title = "own", .x = GS_COL_X, .y = GS_COL_Y};
    static const char *const name[] = {"a", "b"};
    static const double power[] = {7, 8};
    const struct gs_plot plot = {
        .name = "figure",
        .title = "one two three four five six seven eight nine ten eleven twelve thirteen "
                 "fourteen fifteen sixteen seventeen",
        .n_panels = 1,
        .panels = &points};
    const struct gs_draw_options o = {.width_px = 300};
    struct gs_buf b = {.arena = &arena};
    assert_int_equal(gs_plot_script(named(2, name, power), &plot, &o, &b, NULL), GS_OK);
    has(b.ptr, "set title \" \\n\".\" \\n\".\" \\n\".\" \\n\".\" \\n\".'own'\n");
}

/* Names of 30 letters that differ at their ends, in a picture for a phone: no wider than it takes to know each. */
static void long_names_leave_the_panel_its_room(void **state)
{
    (void)state;
    static const struct gs_panel spans = {
        .kind = GS_PLOT_SPANS, .x = GS_COL_X, .x_end = GS_COL_Y, .y = GS_COL_AT(0)};
    static const char *const ends[] = {"0f3a5c7e9b1d2f4a6c8e0b2d4f6a01",
                                       "9b1d2f4a6c8e0b2d4f6a8c0e1b3d02"};
    static const char *const seventh[] = {"abcdefXhijklmnopqrstuvwxyz0123",
                                          "abcdefYhijklmnopqrstuvwxyz0123"};
    static const double power[] = {7, 8};
    has(script_of(named(2, ends, power), &spans, 400), "set ytics scale 0 ('0f3a5\xE2\x80\xA6"
                                                       "f6a01' 0, ");
    has(script_of(named(2, seventh, power), &spans, 400),
        "set ytics scale 0 ('abcdefX\xE2\x80\xA6yz0123' 0, ");
}

/* Two clouds in the same places: neither is drawn over the whole of the other. */
static void clouds_lie_among_each_other(void **state)
{
    (void)state;
    static const struct gs_panel cloud = {
        .kind = GS_PLOT_SCATTER, .x = GS_COL_X, .y = GS_COL_Y, .group = GS_COL_AT(0)};
    static const char *const name[] = {"a", "a", "a", "a", "b", "b", "b", "b"};
    static const double power[] = {1, 2, 3, 4, 1, 2, 3, 4};
    const char *p = strstr(script_of(named(8, name, power), &cloud, 0), "$gs1_0 <<");
    size_t changes = 0, n = 0;
    char last = ' ';
    for (p = strchr(p, '\n') + 1; *p != 'E'; p = strchr(p, '\n') + 1, n++) {
        const char colour = strchr(p, '\n')[-1];
        changes += n > 0 && colour != last;
        last = colour;
    }
    assert_int_equal(n, 8);
    assert_in_range(changes, 5, 7);
}

/* Side by side panels begin at one height; a remark in brackets stands whole in its line. */
static void titles_in_a_row_have_as_many_lines(void **state)
{
    (void)state;
    static const struct gs_panel panels[] = {
        {.kind = GS_PLOT_BARS, .title = "Cost of each", .x = GS_COL_AT(0), .y = GS_COL_Y},
        {.kind = GS_PLOT_SCATTER, .title = "Points", .x = GS_COL_X, .y = GS_COL_Y}};
    const struct gs_plot plot = {.name = "figure", .title = "two", .n_panels = 2, .panels = panels};
    static const char *const name[] = {"a", "b"};
    static const double power[] = {7, 8};
    struct gs_frame *const f = frame_of(60);
    for (size_t r = 0; r < 60; r++) {
        gs_frame_set_text(f, r, 0, gs_str(name[r % 2]));
        gs_frame_set_int(f, r, 1, (int64_t)r);
        gs_frame_set_real(f, r, 2, power[r % 2]);
    }
    const struct gs_draw_options o = {.width_px = 700};
    struct gs_buf b = {.arena = &arena};
    assert_int_equal(gs_plot_script(f, &plot, &o, &b, NULL), GS_OK);
    has(b.ptr, "set title 'Cost of each'.\"\\n\".'(the 40 largest of 60)'\n");
    has(b.ptr, "set title 'Points'.\"\\n \"\n");
}

/*
 * 10 W and -10 W with "10 W" and "-10 W" beside them, 4 and 5 letters and two more at 8.6 px beside 654.2 px of bars:
 * both fit where the axis is 20 / (1 - (4 + 5) * 8.6 / 654.2) long.
 */
static void an_axis_is_as_long_as_its_texts_need(void **state)
{
    (void)state;
    static const struct gs_panel bars = {.kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y};
    static const char *const name[] = {"a", "b"};
    static const double power[] = {10, -10};
    has(script_of(named(2, name, power), &bars, 0), "set xrange [-11.49");
    has(script_of(named(2, name, power), &bars, 0), ":11.19");
}

/* Of many groups two are in this panel: the names of their key have its width. */
static void groups_that_are_not_there_take_no_room_of_the_key(void **state)
{
    (void)state;
    static const char *const order[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", NULL};
    static const struct gs_panel cloud = {.kind = GS_PLOT_SCATTER,
                                          .x = GS_COL_X,
                                          .y = GS_COL_Y,
                                          .group = GS_COL_AT(0),
                                          .order = order};
    static const char *const name[] = {"Saving the configuration", "Rendering all the tiles"};
    static const double power[] = {7, 8};
    has(script_of(named(2, name, power), &cloud, 900), "title 'Saving the configuration'");
}

/* A 2 by 3 image over 20 by 30 pixels, and one of 600 by 400: only the first is enlarged. */
static void enlarged_cells_are_not_blended(void **state)
{
    (void)state;
    static const char few[] =
        "<image x='1' width='20' height='30' "
        "xlink:href='data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnW'/>";
    static const char many[] =
        "<image x='1' width='20' height='30' "
        "xlink:href='data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAlgAAAGQCAIAAAA2iEnW'/>";
    struct gs_buf a = {.arena = &arena}, b = {.arena = &arena};
    gs_svg_hover(&a, gs_str(few), (struct gs_str){"", 0});
    gs_svg_hover(&b, gs_str(many), (struct gs_str){"", 0});
    has(a.ptr, "<image style='image-rendering:pixelated' x='1' ");
    assert_string_equal(b.ptr, many);
}

/* 20 clusters in 400 pixels are 14 apart: their names stand upright; of 40 every second has room. */
static void many_names_stand_upright(void **state)
{
    (void)state;
    enum { MOST = 40 };
    static const struct gs_panel clusters = {
        .kind = GS_PLOT_HISTOGRAM_GROUPED, .x = GS_COL_AT(0), .y = GS_COL_Y};
    for (size_t n = 5; n <= MOST; n += n < 10 ? 15 : 20) {
        struct gs_frame *const f = frame_of(n);
        for (size_t r = 0; r < n; r++) {
            struct gs_buf name = {.arena = &arena};
            gs_buf_format(&name, "application-%zu", r + 10);
            gs_frame_set_text(f, r, 0, gs_buf_str(&name));
            gs_frame_set_real(f, r, 2, 5);
        }
        const char *const script = script_of(f, &clusters, 400);
        has(script, n == 5 ? "set xtics rotate by -35 left scale 0 ("
                           : "set xtics rotate by 90 right scale 0 (");
        const char *const second = strstr(strstr(script, "set xtics rotate"), " 1, ");
        assert_true((second == NULL || second > strstr(strstr(script, "set xtics rotate"), "\n")) ==
                    (n == MOST));
    }
}

/* The page leaves such a picture out. */
static void a_picture_of_nothing_is_known_as_one(void **state)
{
    (void)state;
    static const struct gs_panel bars = {.kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y};
    static const char *const name[] = {"a"};
    static const double power[] = {7}, nothing[] = {(double)NAN};
    const struct gs_plot plot = {.name = "figure", .n_panels = 1, .panels = &bars};
    struct gs_svg_request some = {.frame = named(1, name, power), .plot = &plot},
                          none = {.frame = named(1, name, nothing), .plot = &plot};
    assert_int_equal(gs_svg_request_write(&some, &arena, NULL), GS_OK);
    assert_int_equal(gs_svg_request_write(&none, &arena, NULL), GS_OK);
    assert_false(some.empty);
    assert_true(none.empty);
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
        cmocka_unit_test_teardown(an_event_keeps_its_colour_in_any_order, leave),
        cmocka_unit_test_teardown(a_name_of_another_panel_takes_no_colour, leave),
        cmocka_unit_test_teardown(a_verdict_keeps_its_colour_and_is_keyed_alone, leave),
        cmocka_unit_test_teardown(a_panel_without_data_is_left_out_and_named, leave),
        cmocka_unit_test_teardown(bars_of_nothing_stand_at_the_beginning, leave),
        cmocka_unit_test_teardown(hollow_bars_have_whole_outlines, leave),
        cmocka_unit_test_teardown(a_map_of_one_row_is_drawn, leave),
        cmocka_unit_test_teardown(a_bare_number_says_what_it_counts, leave),
        cmocka_unit_test_teardown(tics_over_many_decades_have_units, leave),
        cmocka_unit_test_teardown(what_is_cut_off_is_said, leave),
        cmocka_unit_test_teardown(the_text_of_a_line_avoids_points, leave),
        cmocka_unit_test_teardown(the_text_of_a_line_avoids_what_joins_points, leave),
        cmocka_unit_test_teardown(long_names_leave_the_panel_its_room, leave),
        cmocka_unit_test_teardown(clouds_lie_among_each_other, leave),
        cmocka_unit_test_teardown(titles_in_a_row_have_as_many_lines, leave),
        cmocka_unit_test_teardown(an_axis_is_as_long_as_its_texts_need, leave),
        cmocka_unit_test_teardown(groups_that_are_not_there_take_no_room_of_the_key, leave),
        cmocka_unit_test_teardown(the_text_of_a_line_may_stand_in_its_middle, leave),
        cmocka_unit_test_teardown(points_at_one_place_stand_side_by_side, leave),
        cmocka_unit_test_teardown(panels_above_one_another_have_their_own_heights, leave),
        cmocka_unit_test_teardown(a_long_title_keeps_its_room, leave),
        cmocka_unit_test_teardown(enlarged_cells_are_not_blended, leave),
        cmocka_unit_test_teardown(many_names_stand_upright, leave),
        cmocka_unit_test_teardown(a_picture_of_nothing_is_known_as_one, leave),
    };
    return cmocka_run_group_tests_name("figures", tests, NULL, NULL);
}
