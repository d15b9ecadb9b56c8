/* test_pictures.c - units that suit, tics apart, thinning, words under the mouse, pictures in characters. */
#include "render_fixture.h"

#include <math.h>

#include "output/chart/figure.h"
#include "output/terminal_plots/terminal.h"
#include "output/text/si.h"

static struct gs_arena arena;

static int leave(void **state)
{
    (void)state;
    gs_arena_release(&arena);
    return 0;
}

static const char *si(double value, const char *unit, int decimals)
{
    struct gs_buf b = {.arena = &arena};
    gs_buf_si(&b, value, unit, decimals);
    return b.ptr;
}

static void a_number_takes_the_multiple_that_suits_it(void **state)
{
    (void)state;
    assert_string_equal(si(259731275, "J", 0), "72.15 kWh");
    assert_string_equal(si(102995, "W", 0), "103.0 kW");
    assert_string_equal(si(42611.3, "ms", 0), "42.61 s");
    assert_string_equal(si(9999, "W", 0), "9,999 W");
    assert_string_equal(si(95.416, "W", 2), "95.42 W");
    assert_string_equal(si(-12345, "J", 0), "-3.429 Wh");
    assert_string_equal(si(123456789, "tiles", 0), "123,456,789 tiles");
    assert_string_equal(si(20000, "", 0), "20,000");
    assert_string_equal(si(5e12, "J", 0), "1,389 MWh");
}

static void tics_never_touch(void **state)
{
    (void)state;
    for (int decade = -3; decade < 12; decade++) {
        for (int room = 40; room < 900; room += 35) {
            struct gs_axis a = {.lo = 0.37 * pow(10, decade), .hi = 7.1 * pow(10, decade)};
            const struct gs_tics t = gs_tics_apart(&a, 10, room, 8);
            assert_in_range(t.n, 1, GS_TICS_MAX);
            for (int i = 1; i < t.n; i++) {
                const double px =
                    (gs_axis_share(&a, t.at[i]) - gs_axis_share(&a, t.at[i - 1])) * room;
                assert_true(px > 4.0 * (double)(strlen(t.label[i]) + strlen(t.label[i - 1])));
            }
        }
    }
}

static const struct gs_column_spec specs[] = {
    {.name = "name", .label = "name", .unit = "", .type = GS_TYPE_TEXT, .how = ""},
    {.name = "x", .label = "place", .unit = "s", .type = GS_TYPE_REAL, .decimals = 1, .how = ""},
    {.name = "y", .label = "power", .unit = "W", .type = GS_TYPE_REAL, .decimals = 2, .how = ""},
    {.name = "n", .label = "n", .unit = "", .type = GS_TYPE_INT, .how = ""},
};

static struct gs_frame *frame_of(size_t n)
{
    struct gs_frame *f;
    static const struct gs_str names[] = {{"render", 6}, {"<b>&\033[1m", 8}, {"upload", 6}};
    assert_int_equal(gs_frame_new(&arena,
                                  &(struct gs_frame_head){"test", "Test", specs, COUNT_OF(specs)},
                                  n, NULL, &f, NULL),
                     GS_OK);
    for (size_t r = 0; r < n; r++) {
        gs_frame_set_text(f, r, 0, names[r % 3]);
        gs_frame_set_real(f, r, 1, (double)(r % 1000));
        gs_frame_set_real(f, r, 2, (double)(r * 7919 % 1000) / 10);
        gs_frame_set_int(f, r, 3, r == 2 ? 3 : 1000);
    }
    return f;
}

static struct gs_drawn opened(const struct gs_frame *f, const struct gs_panel *panel)
{
    struct gs_drawn d;
    const struct gs_draw_options o = {0};
    assert_int_equal(gs_drawn_open(&d, f, panel, NULL, &o, &arena, NULL), GS_OK);
    assert_int_equal(gs_drawn_thin(&d, &arena, NULL), GS_OK);
    return d;
}

/* No place of the grid that had a point loses its last, no point is drawn twice, groups keep theirs. */
static void a_cloud_keeps_a_point_for_each_place(void **state)
{
    (void)state;
    static const struct gs_panel cloud = {
        .kind = GS_PLOT_SCATTER, .x = GS_COL_X, .y = GS_COL_Y, .group = GS_COL_AT(0)};
    const struct gs_frame *const f = frame_of(300000);
    const struct gs_drawn d = opened(f, &cloud);
    assert_int_equal(d.n_all, 300000);
    assert_in_range(d.n, 1000, 100000);
    assert_int_equal(d.series_end[2], d.n);
    static unsigned char seen[300000];
    memset(seen, 0, sizeof seen);
    for (size_t s = 0; s < 3; s++)
        for (size_t i = gs_drawn_series_start(&d, s); i < d.series_end[s]; i++) {
            assert_int_equal(d.rows[i] % 3, s);
            assert_int_equal(seen[d.rows[i]]++, 0);
        }
}

static void a_line_keeps_its_extremes(void **state)
{
    (void)state;
    static const struct gs_panel line = {.kind = GS_PLOT_LINES, .x = GS_COL_X, .y = GS_COL_Y};
    struct gs_frame *const f = frame_of(100000);
    for (size_t r = 0; r < f->n_rows; r++)
        gs_frame_set_real(f, r, 1, (double)r);
    gs_frame_set_real(f, 31415, 2, 5000);
    gs_frame_set_real(f, 92653, 2, -5000);
    const struct gs_drawn d = opened(f, &line);
    assert_in_range(d.n, 500, 4 * 1000);
    bool high = false, low = false;
    for (size_t i = 0; i < d.n; i++) {
        assert_true(i == 0 || d.rows[i] > d.rows[i - 1]);
        high |= d.rows[i] == 31415;
        low |= d.rows[i] == 92653;
    }
    assert_true(high && low && d.rows[0] == 0 && d.rows[d.n - 1] == 99999);
}

static void too_many_bars_are_cut_to_the_largest(void **state)
{
    (void)state;
    static const struct gs_panel bars = {.kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y};
    const struct gs_drawn d = opened(frame_of(1000), &bars);
    struct gs_buf said = {.arena = &arena};
    assert_int_equal(d.n, 40);
    for (size_t i = 0; i < d.n;
         i++) { /* 0.0, 0.1 ... 99.9, each once; what is cut by size stands by size */
        const double y = d.frame->columns[2].real[d.rows[i]];
        assert_true(y > 99.85 - 0.1 * (double)i && y < 99.95 - 0.1 * (double)i);
    }
    gs_drawn_note_thinned(&d, &said);
    assert_string_equal(said.ptr, "(the 40 largest of 1,000)");
}

/* All equal: the first 40 stay, not one more. */
static void of_equal_bars_the_first_stay(void **state)
{
    (void)state;
    static const struct gs_panel panels[] = {
        {.kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y},
        {.kind = GS_PLOT_HISTOGRAM_GROUPED, .x = GS_COL_X, .y = GS_COL_Y, .group = GS_COL_AT(0)}};
    struct gs_frame *const f = frame_of(500);
    for (size_t r = 0; r < f->n_rows; r++)
        gs_frame_set_real(f, r, 2, 7);
    for (size_t k = 0; k < COUNT_OF(panels); k++) {
        const struct gs_drawn d = opened(f, &panels[k]);
        assert_int_equal(d.n, 40);
        for (size_t i = 0; i < d.n; i++)
            assert_in_range(d.rows[i], 0, 39);
    }
}

/* One of three clusters each: the 40 of the largest bars stay, with their names. */
static void too_many_clusters_are_cut_with_their_names(void **state)
{
    (void)state;
    static const struct gs_panel clusters = {
        .kind = GS_PLOT_HISTOGRAM_GROUPED, .x = GS_COL_X, .y = GS_COL_Y, .group = GS_COL_AT(0)};
    const struct gs_drawn d = opened(frame_of(3000), &clusters);
    assert_int_equal(d.x_names.n, 40);
    double size[40] = {0};
    for (size_t i = 0; i < d.n; i++) {
        const uint32_t name = d.x_names.of_row[d.rows[i]];
        assert_in_range(name, 0, 39);
        size[name] = fmax(size[name], d.frame->columns[2].real[d.rows[i]]);
    }
    for (size_t k = 1; k < 40; k++)
        assert_true(size[k] <= size[k - 1] && size[k] > 0);
    assert_int_equal(d.series_end[2], d.n);
}

static void a_bar_with_little_behind_it_is_thin(void **state)
{
    (void)state;
    static const struct gs_panel bars = {
        .kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y, .count = GS_COL_N};
    const struct gs_drawn d = opened(frame_of(3), &bars);
    assert_false(gs_drawn_is_thin(&d, 0));
    assert_true(gs_drawn_is_thin(&d, 2));
    static const struct gs_panel of = {
        .kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y, .count = GS_COL_Y, .of = GS_COL_N};
    const struct gs_drawn e = opened(frame_of(3), &of); /* 0, 791.9 / 10, ... of 1,000 */
    assert_true(gs_drawn_is_thin(&e, 0));
    assert_false(gs_drawn_is_thin(&e, 1));
}

static void marks_say_what_they_are_without_a_script(void **state)
{
    (void)state;
    static const char svg[] =
        "<?xml?><svg><g id=\"f_plot_1\" ><title>f_plot_1</title>\n<polygon points='1'/>\n<polygon "
        "points='2'/></g><use xlink:href='#a'/><g id=\"f_plot_2\" ><title>x</title><use b='1'/>"
        "<use b='2'/></g></svg>";
    struct gs_buf b = {.arena = &arena};
    gs_svg_hover(&b, gs_str(svg), gs_str("\fone &lt;\ntwo\n\fthree\n"));
    assert_string_equal(
        b.ptr,
        "<?xml?><svg><g id=\"f_plot_1\" >\n<polygon points='1'><title>one &lt;</title></polygon>\n"
        "<polygon points='2'><title>two</title></polygon></g><use xlink:href='#a'/><g "
        "id=\"f_plot_2\" ><use b='1'><title>three</title></use><use b='2'/></g></svg>");
}

static const char *page_of(const struct gs_frame *f, const struct gs_panel *panel,
                           const struct gs_terminal *to)
{
    const struct gs_plot plot = {.name = "t", .title = "Title", .n_panels = 1, .panels = panel};
    struct gs_buf b = {.arena = &arena};
    assert_int_equal(gs_plot_terminal(f, &plot, to, gs_sink_buf(&b), NULL), GS_OK);
    return b.ptr;
}

static void bars_are_a_line_each_in_plain_ascii(void **state)
{
    (void)state;
    static const struct gs_panel bars = {
        .kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y, .count = GS_COL_N};
    struct gs_frame *const f = frame_of(3);
    static const double y[] = {50, 100, 25};
    for (size_t r = 0; r < 3; r++)
        gs_frame_set_real(f, r, 2, y[r]);
    const struct gs_terminal to = {.columns = 50};
    assert_string_equal(page_of(f, &bars, &to), "Title\n"
                                                "render      ########### 50.00 W\n"
                                                "<b>&\\x1B[1m ##################### 100.00 W\n"
                                                "upload      ..... 25.00 W (n = 3)\n");
}

/* "render" carries its interval in numbers; a band is a line of its own above the axis. */
static void intervals_and_bands_are_shown_without_gnuplot(void **state)
{
    (void)state;
    static const struct gs_mark band = {.kind = GS_MARK_BAND, .at = 0, .to = 1};
    static const struct gs_panel bars = {
        .kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y, .low = GS_COL_X, .high = GS_COL_N};
    static const struct gs_panel lines = {
        .kind = GS_PLOT_LINES, .x = GS_COL_X, .y = GS_COL_Y, .marks = &band, .n_marks = 1};
    struct gs_frame *const f = frame_of(3);
    const struct gs_terminal to = {.columns = 50};
    gs_frame_set_real(f, 0, 1, 20);
    gs_frame_set_real(f, 0, 2, 50);
    assert_non_null(strstr(page_of(f, &bars, &to), "50.00 W [20.00, 1,000.00]\n"));
    gs_frame_set_real(f, 0, 1, 0);
    assert_non_null(strstr(page_of(f, &lines, &to), "\n  shaded ====================  "));
}

/* A mean with its text, the interval of the middle point, the line of equals: where no point is. */
static void what_lies_under_points_is_shown(void **state)
{
    (void)state;
    static const struct gs_column_spec three[] = {
        {.name = "x", .label = "x", .unit = "s", .type = GS_TYPE_REAL, .how = ""},
        {.name = "y", .label = "y", .unit = "W", .type = GS_TYPE_REAL, .how = ""},
        {.name = "e", .label = "e", .unit = "W", .type = GS_TYPE_REAL, .how = ""}};
    static const struct gs_mark mean = {.kind = GS_MARK_Y, .at = 5, .text = "+3\xCF\x83"};
    static const struct gs_panel points = {.kind = GS_PLOT_POINTS_ERROR,
                                           .x = GS_COL_X,
                                           .y = GS_COL_Y,
                                           .y_error = GS_COL_AT(2),
                                           .marks = &mean,
                                           .n_marks = 1};
    static const struct gs_panel equal = {
        .kind = GS_PLOT_SCATTER, .x = GS_COL_X, .y = GS_COL_Y, .identity = true};
    struct gs_frame *f;
    assert_int_equal(
        gs_frame_new(&arena, &(struct gs_frame_head){"f", "", three, 3}, 3, NULL, &f, NULL), GS_OK);
    for (size_t r = 0; r < 3; r++) {
        gs_frame_set_real(f, r, 0, 5.0 * (double)r);
        gs_frame_set_real(f, r, 1, r == 1 ? 2 : 10.0 * (double)(r / 2));
        gs_frame_set_real(f, r, 2, r == 1 ? 2 : 0);
    }
    const struct gs_terminal to = {.columns = 50};
    const char *const page = page_of(f, &points, &to);
    assert_non_null(strstr(page, "-----+3sd\n"));
    assert_non_null(strstr(page, "|                    |"));
    assert_non_null(strstr(page_of(f, &equal, &to), "|                    ."));
    assert_non_null(strstr(page_of(f, &equal, &to), "\n. equal\n"));
}

/* Of 0 to 19 in 8 lines: 0 and 10, four lines apart; 5, 10 and 15 would be one, two and two lines apart. */
static void tics_of_a_low_picture_are_far_apart(void **state)
{
    (void)state;
    static const struct gs_panel histogram = {
        .kind = GS_PLOT_HISTOGRAM, .x = GS_COL_X, .x_end = GS_COL_N, .y = GS_COL_Y};
    struct gs_frame *const f = frame_of(3);
    static const double y[] = {1, 19, 4};
    for (size_t r = 0; r < 3; r++) {
        gs_frame_set_real(f, r, 1, (double)r);
        gs_frame_set_int(f, r, 3, (int64_t)r + 1);
        gs_frame_set_real(f, r, 2, y[r]);
    }
    const struct gs_terminal to = {.columns = 50};
    const char *const page = page_of(f, &histogram, &to);
    assert_non_null(strstr(page, "      10+"));
    assert_non_null(strstr(page, "       0+"));
    assert_null(strstr(page, "      15+"));
}

/* Two clouds in the same places: the cells that they share are shown in the letter of the one and of the other. */
static void a_cloud_hides_no_other(void **state)
{
    (void)state;
    static const struct gs_panel cloud = {
        .kind = GS_PLOT_SCATTER, .x = GS_COL_X, .y = GS_COL_Y, .group = GS_COL_AT(0)};
    struct gs_frame *const f = frame_of(600);
    for (size_t r = 0; r < f->n_rows; r++) {
        gs_frame_set_text(f, r, 0, gs_str(r % 2 == 0 ? "render" : "total"));
        gs_frame_set_real(f, r, 1, (double)(r / 2 % 60));
        gs_frame_set_real(f, r, 2, (double)(r / 2 / 60));
    }
    const struct gs_terminal to = {.columns = 50};
    const char *const page = page_of(f, &cloud, &to);
    size_t n[2] = {0};
    for (const char *p = page; *p != '\0'; p++) {
        n[0] += *p == '*';
        n[1] += *p == 'o';
    }
    assert_in_range(n[0], 80, 120); /* 5 lines of 41 cells, and the key */
    assert_in_range(n[1], 80, 120);
}

/* Without colours the letters of the key are in the bars; the least of a map is not the blank of what is not known. */
static void nothing_is_said_by_colour_alone(void **state)
{
    (void)state;
    static const struct gs_panel bars = {
        .kind = GS_PLOT_BARS, .x = GS_COL_N, .y = GS_COL_Y, .group = GS_COL_AT(0)};
    static const struct gs_panel map = {
        .kind = GS_PLOT_HEAT, .x = GS_COL_N, .y = GS_COL_N, .value = GS_COL_Y};
    struct gs_frame *const f = frame_of(3);
    static const double y[] = {50, 100, 25};
    for (size_t r = 0; r < 3; r++)
        gs_frame_set_real(f, r, 2, y[r]);
    const struct gs_terminal plain = {.columns = 50}, unicode = {.columns = 50, .unicode = true};
    assert_non_null(strstr(page_of(f, &bars, &plain), " ooooooooo"));
    assert_non_null(strstr(page_of(f, &bars, &unicode), " ooooooooo"));
    assert_non_null(strstr(page_of(f, &bars, &plain), "* render  o <b>"));
    assert_non_null(strstr(page_of(f, &map, &plain), ".."));
    assert_non_null(strstr(page_of(f, &map, &unicode), "\xC2\xB7"));
}

/* Degrees, sigma and minus in a terminal without Unicode. */
static void our_own_signs_have_ascii(void **state)
{
    (void)state;
    static const struct gs_column_spec two[] = {
        {.name = "x", .label = "x", .unit = "", .type = GS_TYPE_TEXT, .how = ""},
        {.name = "y",
         .label = "y",
         .unit = "\xC2\xB0"
                 "C",
         .type = GS_TYPE_REAL,
         .how = ""}};
    static const struct gs_panel bars = {.kind = GS_PLOT_BARS,
                                         .title = "\xE2\x88\x92"
                                                  "3\xCF\x83",
                                         .x = GS_COL_X,
                                         .y = GS_COL_Y};
    struct gs_frame *f;
    assert_int_equal(
        gs_frame_new(&arena, &(struct gs_frame_head){"f", "", two, 2}, 1, NULL, &f, NULL), GS_OK);
    gs_frame_set_text(f, 0, 0, gs_str("m\xC3\xBCller"));
    gs_frame_set_real(f, 0, 1, 40);
    const char *const page = page_of(f, &bars, &(struct gs_terminal){.columns = 50});
    assert_non_null(strstr(page, "\n-3sd\n"));
    assert_non_null(strstr(page, "# 40 C\n"));
    assert_non_null(strstr(page, "m\xC3\xBCller ")); /* what the data say stays */
}

/* Of 0.00001 to 0.001 in little room the decades stay; one tic alone would say no scale. */
static void an_axis_has_two_tics_where_they_fit(void **state)
{
    (void)state;
    const struct gs_axis decades = {.kind = GS_AXIS_LOG, .lo = 7e-6, .hi = 2e-3},
                         around = {.kind = GS_AXIS_LINEAR, .lo = -450, .hi = 420};
    const struct gs_tics few = gs_tics_apart(&decades, 4, 300, 8), two = gs_tics_of(&around, 3);
    assert_int_equal(few.n, 3);
    assert_string_equal(few.label[0], "0.00001");
    assert_string_equal(few.label[2], "0.001");
    assert_true(two.n >= 2);
    /* 44 s from 09:30:05 on, in 240 px: 15 s are too near to one another there, 30 s leave one alone. */
    const struct gs_axis seconds = {.kind = GS_AXIS_TIME, .lo = 34205, .hi = 34249};
    const struct gs_tics ends = gs_tics_apart(&seconds, 4, 240, 8.6);
    assert_int_equal(ends.n, 2);
    assert_string_equal(ends.label[0], "09:30:15");
    assert_string_equal(ends.label[1], "09:30:45");
    /* Two days by halves: midnight names its day. 1761955200: 2025-11-01 00:00 UTC. */
    const struct gs_axis of_days = {
        .kind = GS_AXIS_TIME, .lo = 1761955200, .hi = 1761955200 + 2 * 86400 - 1};
    const struct gs_tics halves = gs_tics_of(&of_days, 4);
    assert_int_equal(halves.n, 4);
    assert_string_equal(halves.label[0], "Nov 1");
    assert_string_equal(halves.label[1], "12:00");
    assert_string_equal(halves.label[2], "Nov 2");
}

/* Every kind in every terminal: no line wider than it, no byte that moves the cursor but colours of our own. */
static void no_line_is_wider_than_the_terminal(void **state)
{
    (void)state;
    static const struct gs_panel panels[] = {
        {.kind = GS_PLOT_BARS,
         .title = "bars",
         .x = GS_COL_AT(0),
         .y = GS_COL_Y,
         .group = GS_COL_AT(0)},
        {.kind = GS_PLOT_HISTOGRAM_GROUPED, .x = GS_COL_AT(0), .y = GS_COL_Y, .group = GS_COL_N},
        {.kind = GS_PLOT_SCATTER, .x = GS_COL_X, .y = GS_COL_Y, .group = GS_COL_AT(0)},
        {.kind = GS_PLOT_LINES, .x = GS_COL_X, .y = GS_COL_Y},
        {.kind = GS_PLOT_HISTOGRAM, .x = GS_COL_X, .x_end = GS_COL_Y, .y = GS_COL_Y},
        {.kind = GS_PLOT_BOX,
         .x = GS_COL_AT(0),
         .y = GS_COL_Y,
         .box = {GS_COL_X, GS_COL_X, GS_COL_Y, GS_COL_Y, GS_COL_Y}},
        {.kind = GS_PLOT_SPANS,
         .x = GS_COL_X,
         .x_end = GS_COL_Y,
         .y = GS_COL_AT(0),
         .group = GS_COL_AT(0)},
        {.kind = GS_PLOT_HEAT, .x = GS_COL_X, .y = GS_COL_N, .value = GS_COL_Y},
        {.kind = GS_PLOT_HEAT, .x = GS_COL_X, .y = GS_COL_N, .value = GS_COL_AT(0)},
    };
    const struct gs_frame *const f = frame_of(12);
    for (size_t k = 0; k < COUNT_OF(panels); k++)
        for (int columns = 40; columns <= 120; columns += 20)
            for (int can = 0; can < 4; can++) {
                const struct gs_terminal to = {
                    .columns = columns, .unicode = can % 2 != 0, .colour = can / 2 != 0};
                const char *p = page_of(f, &panels[k], &to);
                for (int width = 0; *p != '\0'; p++) {
                    if (*p == '\033')
                        assert_true(to.colour && (p = strchr(p, 'm')) != NULL);
                    else if (*p == '\n')
                        width = 0;
                    else if (((unsigned char)*p & 0xC0U) != 0x80U)
                        width++;
                    if (width > columns)
                        fail_msg("panel %zu at %d:\n%s", k, columns, page_of(f, &panels[k], &to));
                    assert_true(to.unicode || (unsigned char)*p < 0x80U);
                }
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_number_takes_the_multiple_that_suits_it, leave),
        cmocka_unit_test_teardown(tics_never_touch, leave),
        cmocka_unit_test_teardown(a_cloud_keeps_a_point_for_each_place, leave),
        cmocka_unit_test_teardown(a_line_keeps_its_extremes, leave),
        cmocka_unit_test_teardown(too_many_bars_are_cut_to_the_largest, leave),
        cmocka_unit_test_teardown(of_equal_bars_the_first_stay, leave),
        cmocka_unit_test_teardown(too_many_clusters_are_cut_with_their_names, leave),
        cmocka_unit_test_teardown(a_bar_with_little_behind_it_is_thin, leave),
        cmocka_unit_test_teardown(marks_say_what_they_are_without_a_script, leave),
        cmocka_unit_test_teardown(bars_are_a_line_each_in_plain_ascii, leave),
        cmocka_unit_test_teardown(intervals_and_bands_are_shown_without_gnuplot, leave),
        cmocka_unit_test_teardown(what_lies_under_points_is_shown, leave),
        cmocka_unit_test_teardown(tics_of_a_low_picture_are_far_apart, leave),
        cmocka_unit_test_teardown(a_cloud_hides_no_other, leave),
        cmocka_unit_test_teardown(nothing_is_said_by_colour_alone, leave),
        cmocka_unit_test_teardown(our_own_signs_have_ascii, leave),
        cmocka_unit_test_teardown(an_axis_has_two_tics_where_they_fit, leave),
        cmocka_unit_test_teardown(no_line_is_wider_than_the_terminal, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
