/* test_gnuplot.c - scripts hold data only as text; pictures come out the same twice, or say why not. */
#include "render_fixture.h"

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output/gnuplot/gnuplot.h"
#include "output/gnuplot/gnuplot_run.h"

static struct gs_arena arena;
static char dir[] = "/tmp/gpustat-gnuplot-XXXXXX";
static char home[PATH_MAX];

/* Every test runs in an empty directory of its own, where "pwned" files would be found. */
static int enter(void **state)
{
    (void)state;
    (void)strcpy(dir, "/tmp/gpustat-gnuplot-XXXXXX");
    return getcwd(home, sizeof home) == NULL || mkdtemp(dir) == NULL || chdir(dir) != 0 ? -1 : 0;
}

static int leave(void **state)
{
    (void)state;
    DIR *const d = opendir(".");
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        (void)unlink(e->d_name);
    if (d != NULL)
        (void)closedir(d);
    gs_arena_release(&arena);
    return chdir(home) != 0 || rmdir(dir) != 0;
}

static void assert_only(const char *a, const char *b)
{
    DIR *const d = opendir(".");
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.' && (a == NULL || strcmp(e->d_name, a) != 0) &&
            (b == NULL || strcmp(e->d_name, b) != 0))
            fail_msg("a file appeared: %s", e->d_name);
    (void)closedir(d);
}

static bool have_gnuplot(void)
{
    static int answer = -1;
    if (answer < 0)
        answer = system("gnuplot --version >/dev/null 2>&1") == 0;
    return answer != 0;
}

static const struct gs_column_spec specs[] = {
    {.name = "name", .label = "name of 'it' `id`", .unit = "", .type = GS_TYPE_TEXT, .how = ""},
    {.name = "x", .label = "x", .unit = "s", .type = GS_TYPE_INT, .how = ""},
    {.name = "y", .label = "y", .unit = "W", .type = GS_TYPE_REAL, .decimals = 2, .how = ""},
    {.name = "e", .label = "error", .unit = "W", .type = GS_TYPE_REAL, .decimals = 2, .how = ""},
    {.name = "t", .label = "time", .unit = "", .type = GS_TYPE_TIME, .how = ""},
};

/* Every kind of panel with data in every place that shows text. */
static const struct gs_mark marks[] = {
    {.kind = GS_MARK_X, .at = 3, .text = "mark '`touch pwned-mark`' $(touch pwned-mark)"},
    {.kind = GS_MARK_Y, .at = 40, .text = "\n!touch pwned-mark\n"},
    {.kind = GS_MARK_BAND, .at = 1, .to = 2, .text = "!touch pwned-mark"}};
static const struct gs_fit fit = {
    .slope = 0.5, .intercept = 36, .r = 0.93, .r_low = 0.9, .r_high = 0.95, .n = 1024};
/* clang-format off */
static const struct gs_panel panels[] = {
    {.kind = GS_PLOT_BARS, .title = "bars '`id`'", .x = GS_COL_AT(0), .y = GS_COL_Y, .group = GS_COL_AT(0), .label = GS_COL_AT(0), .count = GS_COL_X,
     .low = GS_COL_AT(3), .high = GS_COL_Y, .largest_first = true, .marks = marks, .n_marks = 2},
    {.kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y, .log_y = true, .label = GS_COL_X},
    {.kind = GS_PLOT_SCATTER, .x = GS_COL_X, .y = GS_COL_Y, .group = GS_COL_AT(0), .line = true, .fit = &fit, .marks = marks,
     .n_marks = 2},
    {.kind = GS_PLOT_SCATTER, .x = GS_COL_X, .y = GS_COL_Y, .smooth = GS_COL_AT(3), .log_x = true},
    {.kind = GS_PLOT_SCATTER, .x = GS_COL_AT(0), .y = GS_COL_Y},
    {.kind = GS_PLOT_LINES, .x = GS_COL_AT(4), .y = GS_COL_Y, .from_zero = true},
    {.kind = GS_PLOT_LINES, .x = GS_COL_X, .y = GS_COL_Y, .group = GS_COL_X},
    {.kind = GS_PLOT_POINTS_ERROR, .x = GS_COL_X, .y = GS_COL_Y, .x_error = GS_COL_AT(3), .y_error = GS_COL_AT(3), .identity = true},
    {.kind = GS_PLOT_HEAT, .x = GS_COL_X, .y = GS_COL_X, .value = GS_COL_Y, .down = true},
    {.kind = GS_PLOT_HEAT, .x = GS_COL_AT(0), .y = GS_COL_X, .value = GS_COL_AT(0)},
    {.kind = GS_PLOT_HISTOGRAM_GROUPED, .x = GS_COL_AT(0), .y = GS_COL_Y, .group = GS_COL_X},
    {.kind = GS_PLOT_HISTOGRAM_GROUPED, .x = GS_COL_X, .y = GS_COL_Y, .group = GS_COL_AT(0)},
    {.kind = GS_PLOT_BARS, .x = GS_COL_X, .y = GS_COL_Y, .facet = GS_COL_AT(0)},
    {.kind = GS_PLOT_HISTOGRAM, .x = GS_COL_AT(3), .x_end = GS_COL_Y, .y = GS_COL_Y, .cumulative = GS_COL_Y},
    {.kind = GS_PLOT_BOX, .x = GS_COL_AT(0), .y = GS_COL_Y, .group = GS_COL_AT(0), .box = {GS_COL_AT(3), GS_COL_AT(3), GS_COL_Y, GS_COL_Y, GS_COL_Y}},
    {.kind = GS_PLOT_SPANS, .x = GS_COL_AT(3), .x_end = GS_COL_Y, .y = GS_COL_AT(0), .group = GS_COL_AT(0)},
    {.kind = GS_PLOT_SPANS, .x = GS_COL_AT(4), .x_end = GS_COL_AT(4), .y = GS_COL_AT(0)},
};
/* clang-format on */
enum { N_PANELS = COUNT_OF(panels) };

static struct gs_frame *frame_of(size_t n, const struct gs_str *names)
{
    struct gs_frame *f;
    assert_int_equal(gs_frame_new(&arena,
                                  &(struct gs_frame_head){"test", "Title '`touch pwned-title`'",
                                                          specs, COUNT_OF(specs)},
                                  n, NULL, &f, NULL),
                     GS_OK);
    for (size_t r = 0; r < n; r++) {
        gs_frame_set_text(f, r, 0, names[r]);
        gs_frame_set_int(f, r, 1, (int64_t)r % 7);
        gs_frame_set_real(f, r, 2, 36.67 + (double)(r * r) / 3);
        gs_frame_set_real(f, r, 3, 1.5);
        gs_frame_set_time(f, r, 4, INT64_C(1541660000000000000) + (int64_t)r * 60000000000);
    }
    return f;
}

static struct gs_plot plot_of(const struct gs_panel *p, int n)
{
    return (struct gs_plot){.name = "fig-'1",
                            .title = "'`touch pwned-figure`' $(touch pwned-figure)",
                            .n_panels = n,
                            .panels = p};
}

static struct gs_str script_of(const struct gs_frame *f, const struct gs_plot *plot)
{
    const struct gs_draw_options o = {0};
    struct gs_buf b = {.arena = &arena};
    struct gs_err err = {0};
    if (gs_plot_script(f, plot, &o, &b, &err) != GS_OK)
        fail_msg("%s", err.text);
    return gs_buf_str(&b);
}

/* The script without its single-quoted strings and comments: what gnuplot would execute. */
static const char *executable_part(struct gs_str script)
{
    struct gs_buf b = {.arena = &arena};
    bool line_start = true;
    for (size_t i = 0; i < script.len; i++) {
        if (line_start && script.ptr[i] == '#') {
            while (script.ptr[i] != '\n')
                i++;
        } else if (script.ptr[i] == '\'') {
            for (i++; script.ptr[i] != '\'' || script.ptr[i + 1] == '\''; i++) {
                assert_true((unsigned char)script.ptr[i] >= 0x20);
                i += script.ptr[i] == '\'';
            }
            continue;
        }
        line_start = script.ptr[i] == '\n';
        gs_buf_char(&b, script.ptr[i]);
    }
    return b.ptr;
}

static void data_is_never_in_an_executable_place(void **state)
{
    (void)state;
    const struct gs_frame *const f = frame_of(COUNT_OF(hostile), hostile);
    for (int k = 0; k < N_PANELS; k++) {
        const struct gs_plot plot = plot_of(&panels[k], 1);
        const struct gs_str script = script_of(f, &plot);
        const char *const code = executable_part(script);
        static const char *const dangers[] = {"pwned", "`",  "@",       "system", "alert",
                                              "$(",    "!t", "<script", "cmd",    "\033"};
        for (size_t i = 0; i < COUNT_OF(dangers); i++)
            if (strstr(code, dangers[i]) != NULL)
                fail_msg("panel %d: %.60s", k, strstr(code, dangers[i]));
        /* Blocks are closed by the line that names no data. */
        for (const char *p = script.ptr; (p = strstr(p, "\nEND_OF_NUMBERS")) != NULL; p++)
            assert_int_equal(p[15], '\n');
    }
}

static void datablocks_hold_numbers_only(void **state)
{
    (void)state;
    const struct gs_frame *const f = frame_of(COUNT_OF(hostile), hostile);
    for (int k = 0; k < N_PANELS; k++) {
        const struct gs_plot plot = plot_of(&panels[k], 1);
        const char *p = script_of(f, &plot).ptr;
        int n_blocks = 0;
        while ((p = strstr(p, "<< END_OF_NUMBERS\n")) != NULL) {
            p += 18;
            n_blocks++;
            const char *const end = strstr(p, "END_OF_NUMBERS");
            assert_non_null(end);
            assert_int_equal(strspn(p, "0123456789.-+eNa \n"), (size_t)(end - p));
            p = end + 1;
        }
        assert_true(n_blocks > 0);
    }
}

static struct gs_str drawn(const struct gs_frame *f, const struct gs_plot *plot,
                           enum gs_picture picture, enum gs_theme theme)
{
    const struct gs_draw_options o = {.theme = theme};
    struct gs_buf b = {.arena = &arena};
    struct gs_err err = {0};
    if (gs_plot_draw(f, plot, picture, &o, gs_sink_buf(&b), &err) != GS_OK)
        fail_msg("%s", err.text);
    return gs_buf_str(&b);
}

static void hostile_names_are_drawn_and_run_nothing(void **state)
{
    (void)state;
    if (!have_gnuplot())
        skip();
    const struct gs_frame *const f = frame_of(COUNT_OF(hostile), hostile);
    for (int k = 0; k < N_PANELS; k++) {
        const struct gs_plot plot = plot_of(&panels[k], 1);
        const struct gs_str svg = drawn(f, &plot, GS_PICTURE_SVG, GS_THEME_LIGHT);
        assert_non_null(strstr(svg.ptr, "</svg>"));
        assert_null(strstr(svg.ptr, "<script"));
        assert_null(strstr(svg.ptr, "<img"));
        assert_only(NULL, NULL);
    }
    const struct gs_plot bars = plot_of(&panels[0], 1);
    const char *const svg = drawn(f, &bars, GS_PICTURE_SVG, GS_THEME_LIGHT).ptr;
    static const char *const shown[] = {
        "`touch pwned-backtick`", "$(touch pwned-dollar)",
        "&lt;script>alert(1)",    "@{} @pwned {/Symbol a} x^2 y_1 ~a{.8-}",
        "100% %s %n %d %g %%",    "back\\slash \\ at end\\",
        "END_OF_NUMBERS"};
    for (size_t i = 0; i < COUNT_OF(shown); i++)
        if (strstr(svg, shown[i]) == NULL)
            fail_msg("not shown as it is: %s", shown[i]);
}

/* Saved and run by hand, as `gnuplot FILE`, with the user's own settings in force. */
static void a_saved_script_writes_what_out_names(void **state)
{
    (void)state;
    if (!have_gnuplot())
        skip();
    struct gs_frame *const f = frame_of(COUNT_OF(hostile), hostile);
    const struct gs_plot second = plot_of(&panels[2], 1);
    struct gs_plot first = plot_of(panels, 2);
    first.next = &second;
    f->plot = &first;
    const struct gs_str script = rendered(&arena, f, GS_FORMAT_GNUPLOT, NULL);
    FILE *const file = fopen("f.gp", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(script.ptr, 1, script.len, file), script.len);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(system("gnuplot -d -e \"theme='dark'; out='p.svg'\" f.gp >log 2>&1"), 0);
    struct stat st;
    assert_int_equal(stat("p.svg", &st), 0);
    assert_true(st.st_size > 1000);
    assert_int_equal(stat("p-2.svg", &st), 0);
    assert_true(st.st_size > 1000);
    (void)unlink("p.svg");
    (void)unlink("p-2.svg");
    (void)unlink("log");
    assert_int_equal(
        system("gnuplot -d -e \"set terminal png; set output 'own.png'\" f.gp >log 2>&1"), 0);
    assert_int_equal(stat("own.png", &st), 0);
    assert_true(st.st_size > 1000);
    (void)unlink("own.png");
    (void)unlink("log");
    assert_only("f.gp", NULL);
}

static void pictures_are_the_same_twice_in_every_kind(void **state)
{
    (void)state;
    if (!have_gnuplot())
        skip();
    static const struct {
        enum gs_picture picture;
        const char *magic;
    } kinds[] = {{GS_PICTURE_SVG, "<?xml"}, {GS_PICTURE_PNG, "\x89PNG"}, {GS_PICTURE_PDF, "%PDF-"}};
    const struct gs_frame *const f = frame_of(5, hostile);
    const struct gs_plot plot = plot_of(panels, 3);
    struct gs_str first[COUNT_OF(kinds)];
    for (size_t k = 0; k < COUNT_OF(kinds); k++) {
        first[k] = drawn(f, &plot, kinds[k].picture, GS_THEME_LIGHT);
        assert_memory_equal(first[k].ptr, kinds[k].magic, strlen(kinds[k].magic));
        assert_true(first[k].len > 500);
    }
    (void)sleep(1); /* so that a time of day written into a picture would show */
    for (size_t k = 0; k < COUNT_OF(kinds); k++) {
        const struct gs_str again = drawn(f, &plot, kinds[k].picture, GS_THEME_LIGHT);
        assert_int_equal(again.len, first[k].len);
        assert_memory_equal(again.ptr, first[k].ptr, again.len);
    }
}

static void the_users_settings_do_not_change_a_picture(void **state)
{
    (void)state;
    if (!have_gnuplot())
        skip();
    const struct gs_frame *const f = frame_of(5, hostile);
    const struct gs_plot plot = plot_of(panels, 1);
    const struct gs_str before = drawn(f, &plot, GS_PICTURE_SVG, GS_THEME_LIGHT);
    FILE *const rc = fopen(".gnuplot", "w");
    assert_non_null(rc);
    assert_true(fputs("set title 'mine'\nset samples 3\nsystem('touch pwned-rc')\n", rc) >= 0);
    assert_int_equal(fclose(rc), 0);
    char *const old_home = getenv("HOME");
    assert_int_equal(setenv("HOME", dir, 1), 0);
    assert_int_equal(setenv("GNUTERM", "dumb", 1), 0);
    assert_int_equal(setenv("LC_ALL", "tr_TR.UTF-8", 1), 0);
    const struct gs_str after = drawn(f, &plot, GS_PICTURE_SVG, GS_THEME_LIGHT);
    (void)unsetenv("GNUTERM");
    (void)unsetenv("LC_ALL");
    if (old_home != NULL)
        (void)setenv("HOME", old_home, 1);
    assert_int_equal(before.len, after.len);
    assert_memory_equal(before.ptr, after.ptr, before.len);
    assert_int_equal(access("pwned-rc", F_OK), -1);
}

static void dark_is_another_picture(void **state)
{
    (void)state;
    if (!have_gnuplot())
        skip();
    const struct gs_frame *const f = frame_of(5, hostile);
    const struct gs_plot plot = plot_of(panels, 1);
    const char *const dark = drawn(f, &plot, GS_PICTURE_SVG, GS_THEME_DARK).ptr;
    assert_non_null(strstr(dark, "#14171c"));
    assert_null(strstr(drawn(f, &plot, GS_PICTURE_SVG, GS_THEME_LIGHT).ptr, "#14171c"));
}

static void a_figure_without_rows_says_so(void **state)
{
    (void)state;
    const struct gs_frame *const f = frame_of(0, NULL);
    for (int k = 0; k < N_PANELS; k++) {
        const struct gs_plot plot = plot_of(&panels[k], 1);
        assert_non_null(strstr(script_of(f, &plot).ptr, "'no data'"));
        if (have_gnuplot())
            assert_true(drawn(f, &plot, GS_PICTURE_SVG, GS_THEME_LIGHT).len > 500);
    }
}

/* One point, equal values, all missing, infinities, and the ends of double. */
static void odd_numbers_are_drawn(void **state)
{
    (void)state;
    static const double odd[][3] = {
        {5, 5, 5},
        {0, 0, 0},
        {-1, -1, -2},
        {1e308, -1e308, 0},
        {1e-308, 2e-308, 0},
        {(double)INFINITY, 1, 2},
        {(double)NAN, (double)NAN, (double)NAN},
        {1e15, 1e15 + 1, 1e15 + 2},
        {(double)NAN, 3, 1e-300},
    };
    for (size_t i = 0; i < COUNT_OF(odd); i++) {
        struct gs_frame *const f = frame_of(3, hostile);
        for (size_t r = 0; r < 3; r++) {
            gs_frame_set_real(f, r, 2, odd[i][r]);
            gs_frame_set_real(f, r, 3, odd[i][r]);
        }
        for (int k = 0; k < N_PANELS; k++) {
            const struct gs_plot plot = plot_of(&panels[k], 1);
            (void)script_of(f, &plot);
        }
        const struct gs_plot all = plot_of(panels, N_PANELS);
        if (have_gnuplot())
            assert_true(drawn(f, &all, GS_PICTURE_SVG, GS_THEME_LIGHT).len > 500);
    }
}

static const char *find_line(const char *script, const char *start)
{
    const char *const p = strstr(script, start);
    assert_non_null(p);
    const char *const end = strchr(p, '\n');
    return gs_arena_copy(&arena, p, (size_t)(end - p));
}

static void bars_begin_with_the_largest_and_carry_their_values(void **state)
{
    (void)state;
    static const struct gs_str names[] = {
        {"TotalRender", 11}, {"Saving Config", 13}, {"Tiling", 6}};
    struct gs_frame *const f = frame_of(3, names);
    static const double y[] = {42611.34841005451, 2.4761205330102967, 973.2062689279225};
    for (size_t r = 0; r < 3; r++) {
        gs_frame_set_real(f, r, 2, y[r]);
        gs_frame_set_int(f, r, 1, 66040);
    }
    static const struct gs_panel bars = {.kind = GS_PLOT_BARS,
                                         .x = GS_COL_AT(0),
                                         .y = GS_COL_Y,
                                         .label = GS_COL_X,
                                         .largest_first = true};
    const struct gs_plot plot = plot_of(&bars, 1);
    const char *const script = script_of(f, &plot).ptr;
    assert_string_equal(find_line(script, "set ytics scale 0 ("),
                        "set ytics scale 0 ('TotalRender' 0, 'Tiling' 1, 'Saving Config' 2)");
    assert_non_null(strstr(
        script, "set label '0.0025 kW (x = 66,040)' at first 2.4761205330102967, first 2 left"));
    assert_non_null(strstr(
        script, "set label '0.97 kW (x = 66,040)' at first 973.2062689279225, first 1 left"));
    assert_non_null(strstr(
        script, "set label '42.61 kW (x = 66,040)' at first 42611.34841005451, first 0 left"));
    assert_non_null(strstr(
        script, "\n0 0 42611.34841005451 1\n1 0 973.2062689279225 1\n2 0 2.4761205330102967 1\n"));
}

static void the_log_option_turns_only_willing_panels(void **state)
{
    (void)state;
    const struct gs_frame *const f = frame_of(5, hostile);
    static const struct gs_panel two[] = {
        {.kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y, .may_log = true},
        {.kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y}};
    const struct gs_plot willing = plot_of(&two[0], 1), unwilling = plot_of(&two[1], 1);
    for (int log_scale = 0; log_scale < 2; log_scale++) {
        const struct gs_draw_options o = {.log_scale = log_scale != 0};
        struct gs_buf a = {.arena = &arena}, b = {.arena = &arena};
        assert_int_equal(gs_plot_script(f, &willing, &o, &a, NULL), GS_OK);
        assert_int_equal(gs_plot_script(f, &unwilling, &o, &b, NULL), GS_OK);
        assert_true((strstr(a.ptr, "set logscale x") != NULL) == (log_scale != 0));
        assert_null(strstr(b.ptr, "set logscale x"));
    }
}

static void the_fit_is_said_and_drawn(void **state)
{
    (void)state;
    static const struct gs_str names[] = {{"a", 1}, {"a", 1}, {"b", 1}, {"b", 1}, {"b", 1}};
    const struct gs_frame *const f = frame_of(5, names);
    struct gs_panel *own;
    static const struct gs_panel scatter = {
        .kind = GS_PLOT_SCATTER, .x = GS_COL_X, .y = GS_COL_Y, .group = GS_COL_AT(0), .line = true};
    const struct gs_plot shared = plot_of(&scatter, 1);
    struct gs_plot *const plot = gs_plot_copy(&shared, &arena, &own);
    own[0].fit = &fit;
    assert_null(scatter.fit);
    const char *const script = script_of(f, plot).ptr;
    assert_non_null(strstr(script, "'r = 0.930 [0.900, 0.950], slope 0.5000 W/s, n = 1,024'"));
    /* x runs from 0 to 4 and 3 % beyond: y = 36 + x/2 there. */
    assert_non_null(strstr(script, "\n-0.12 35.94 \n4.12 38.06 \n"));
    assert_non_null(strstr(script, "keyentry with points ps 1 lt 1 title 'a'"));
    assert_non_null(strstr(script, "keyentry with points ps 1 lt 2 title 'b'"));
}

static void a_missing_y_breaks_the_line(void **state)
{
    (void)state;
    struct gs_frame *const f = frame_of(3, hostile);
    gs_frame_set_real(f, 1, 2, (double)NAN);
    static const struct gs_panel line = {.kind = GS_PLOT_LINES, .x = GS_COL_X, .y = GS_COL_Y};
    const struct gs_plot plot = plot_of(&line, 1);
    assert_non_null(strstr(script_of(f, &plot).ptr,
                           "<< END_OF_NUMBERS\n0 36.67 \n\n2 38.00333333333334 \nEND"));
}

static void a_column_that_is_not_there_is_a_bug_and_said(void **state)
{
    (void)state;
    static const struct gs_panel bad = {
        .kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_KNEE_MHZ};
    const struct gs_plot plot = plot_of(&bad, 1);
    const struct gs_draw_options o = {0};
    struct gs_buf b = {.arena = &arena};
    struct gs_err err = {0};
    assert_int_equal(gs_plot_script(frame_of(1, hostile), &plot, &o, &b, &err), GS_ERR_INTERNAL);
    assert_string_equal(err.text, "frame test has no column 'knee_mhz' to draw");
}

static const char *fake(const char *body)
{
    FILE *const f = fopen("fake", "w");
    assert_non_null(f);
    assert_true(fprintf(f, "#!/bin/sh\n%s\n", body) > 0);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod("fake", 0755), 0);
    return "./fake";
}

static enum gs_status draw_with(const char *program, struct gs_err *err)
{
    static struct gs_str many[5000];
    for (size_t i = 0; i < COUNT_OF(many); i++)
        many[i] = hostile[0];
    static const struct gs_panel points = {
        .kind = GS_PLOT_SCATTER, .x = GS_COL_AT(4), .y = GS_COL_Y};
    const struct gs_plot plot = plot_of(&points, 1);
    const struct gs_draw_options o = {.program = program};
    return gs_plot_draw_file(frame_of(COUNT_OF(many), many), &plot, "p.svg", &o, err);
}

/* Whatever row comes first, a number keeps its colour and shape: the third row's 3 is the second of 1, 3, 8. */
static void numbered_groups_come_in_the_order_of_their_numbers(void **state)
{
    (void)state;
    struct gs_frame *const f = frame_of(4, hostile);
    static const int64_t group[] = {8, 1, 3, 8};
    for (size_t r = 0; r < COUNT_OF(group); r++)
        gs_frame_set_int(f, r, 1, group[r]);
    static const struct gs_panel scatter = {
        .kind = GS_PLOT_SCATTER, .x = GS_COL_AT(3), .y = GS_COL_Y, .group = GS_COL_X};
    const struct gs_plot plot = plot_of(&scatter, 1);
    const char *const script = script_of(f, &plot).ptr;
    assert_non_null(strstr(script, "lt 1 title 'x (s) 1'"));
    assert_non_null(strstr(script, "lt 2 title 'x (s) 3'"));
    assert_non_null(strstr(script, "lt 3 title 'x (s) 8'"));
    assert_non_null(strstr(script, " 7 1\n"));
    assert_non_null(strstr(script, "1.5 36.67 9 3\n"));
    assert_non_null(strstr(script, "1.5 39.67 9 3\n"));
}

static void long_names_are_cut_in_the_middle(void **state)
{
    (void)state;
    static const struct gs_str names[] = {
        {"0123456789abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", 72},
        {"short", 5}};
    static const struct gs_panel bars = {.kind = GS_PLOT_BARS, .x = GS_COL_AT(0), .y = GS_COL_Y};
    const struct gs_plot plot = plot_of(&bars, 1);
    const struct gs_draw_options o = {.width_px = 480};
    struct gs_buf b = {.arena = &arena};
    assert_int_equal(gs_plot_script(frame_of(2, names), &plot, &o, &b, NULL), GS_OK);
    /* 28 % of 440 pixels at 8.6 a letter are 14 letters, in which the two differ. */
    assert_non_null(strstr(b.ptr, "'0123456\xE2\x80\xA6UVWXYZ' 0, 'short' 1"));
}

static const struct gs_column_spec code_specs[] = {
    {.name = "x", .label = "x", .unit = "", .type = GS_TYPE_INT, .how = "", .is_id = true},
    {.name = "y", .label = "y", .unit = "", .type = GS_TYPE_INT, .how = "", .is_id = true},
    {.name = "code", .label = "code", .unit = "", .type = GS_TYPE_INT, .how = "", .is_id = true},
};

/* Between cluster 1 and cluster 7 there is nothing: no shade may say so. */
static void a_map_of_codes_has_a_colour_for_each(void **state)
{
    (void)state;
    struct gs_frame *f;
    static const struct gs_panel map = {
        .kind = GS_PLOT_HEAT, .x = GS_COL_X, .y = GS_COL_Y, .value = GS_COL_AT(2)};
    const struct gs_plot plot = plot_of(&map, 1);
    assert_int_equal(gs_frame_new(&arena, &(struct gs_frame_head){"codes", "", code_specs, 3}, 9,
                                  NULL, &f, NULL),
                     GS_OK);
    for (size_t r = 0; r < 9; r++) {
        gs_frame_set_int(f, r, 0, (int64_t)r % 3);
        gs_frame_set_int(f, r, 1, (int64_t)r / 3);
        gs_frame_set_int(f, r, 2, r % 2 == 0 ? 7 : 1);
    }
    const char *script = script_of(f, &plot).ptr;
    assert_non_null(strstr(
        script,
        "set palette defined (0 gs_colour[1], 1 gs_colour[1], 1 gs_colour[2], 2 gs_colour[2])"));
    assert_non_null(strstr(script, "set cbtics ('1' 0, '7' 1)"));
    assert_non_null(strstr(script, "<< END_OF_NUMBERS\n1 0 1 \n0 1 0 \n1 0 1 \n"));
    for (size_t r = 0; r < 9; r++)
        gs_frame_set_int(f, r, 2, (int64_t)r);
    script = script_of(f, &plot).ptr; /* nine colours would not be told apart */
    assert_null(strstr(script, "set palette defined (0 gs_colour[1]"));
    assert_non_null(strstr(script, "set cbrange [0:8]"));
}

/* Each expression costs gnuplot four calls of the system: a map of 50,000 cells would be slow. */
static void cells_of_a_map_need_no_expressions(void **state)
{
    (void)state;
    struct gs_frame *f;
    static const struct gs_panel map = {
        .kind = GS_PLOT_HEAT, .x = GS_COL_X, .y = GS_COL_Y, .value = GS_COL_AT(2), .down = true};
    const struct gs_plot plot = plot_of(&map, 1);
    assert_int_equal(gs_frame_new(&arena, &(struct gs_frame_head){"codes", "", code_specs, 3}, 6,
                                  NULL, &f, NULL),
                     GS_OK);
    for (size_t r = 0; r < 6; r++) {
        gs_frame_set_int(f, r, 0, 1541662888 + 16 * ((int64_t)r % 3));
        gs_frame_set_int(f, r, 1, 4 * ((int64_t)r / 3));
        gs_frame_set_int(f, r, 2, (int64_t)r);
    }
    const char *const script = script_of(f, &plot).ptr;
    assert_non_null(strstr(script, "set xrange [1541662880:1541662928] noextend\n"));
    assert_non_null(strstr(script, "set yrange [6:-2] noextend\n")); /* down */
    assert_non_null(strstr(script, "set x2range [-0.5:2.5] noextend\n"));
    assert_non_null(strstr(script, "set y2range [1.5:-0.5] noextend\n"));
    assert_non_null(strstr(script, "matrix using 1:2:3 axes x2y2 with image"));
}

static void several_pictures_of_one_gnuplot_look_as_if_alone(void **state)
{
    (void)state;
    if (!have_gnuplot())
        skip();
    const struct gs_frame *const f = frame_of(6, hostile);
    const struct gs_plot bars = plot_of(&panels[0], 1), points = plot_of(&panels[2], 1);
    struct gs_svg_request r[] = {{.frame = f, .plot = &bars},
                                 {.frame = f, .plot = &points, .theme = GS_THEME_DARK},
                                 {.frame = f, .plot = &bars}};
    struct gs_err err = {0};
    for (size_t i = 0; i < COUNT_OF(r); i++)
        assert_int_equal(gs_svg_request_write(&r[i], &arena, &err), GS_OK);
    if (gs_plot_draw_svgs(r, COUNT_OF(r), NULL, &arena, &err) != GS_OK)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < COUNT_OF(r); i++) {
        static const char end[] = "</svg>\n";
        assert_memory_equal(r[i].svg.ptr, "<?xml", 5);
        size_t len = r[i].svg.len;
        while (r[i].svg.ptr[len - 1] == '\n')
            len--;
        assert_memory_equal(r[i].svg.ptr + len + 1 - (sizeof end - 1), end, sizeof end - 2);
    }
    struct gs_buf alone = {.arena = &arena};
    const struct gs_draw_options o = {0};
    assert_int_equal(gs_plot_draw(f, &bars, GS_PICTURE_SVG, &o, gs_sink_buf(&alone), NULL), GS_OK);
    assert_in_range(r[0].svg.len, alone.len - 2, alone.len + 2); /* line ends */
    assert_memory_equal(r[0].svg.ptr, alone.ptr, r[0].svg.len - 2);
    assert_non_null(strstr(r[1].svg.ptr, "#14171c"));
}

static void a_missing_gnuplot_is_said_clearly(void **state)
{
    (void)state;
    struct gs_err err = {0};
    assert_int_equal(draw_with("gnuplot-that-is-not-there", &err), GS_ERR_UNAVAILABLE);
    assert_string_equal(
        err.text,
        "gnuplot-that-is-not-there: not found; install gnuplot (Debian: gnuplot-nox) or keep "
        "the script with --format gnuplot");
    assert_only(NULL, NULL);
}

/* One that dies at once must not kill us with SIGPIPE, one that only talks must not block us. */
static void a_gnuplot_that_misbehaves_leaves_no_file(void **state)
{
    (void)state;
    struct gs_err err = {0};
    (void)signal(SIGPIPE, SIG_DFL);
    assert_int_equal(draw_with(fake("exit 3"), &err), GS_ERR_INTERNAL);
    assert_string_equal(err.text, "gnuplot did not draw the figure: no picture came back");
    assert_int_equal(draw_with(fake("exec <&-; echo 'cannot \033[31mdo' >&2; exit 1"), &err),
                     GS_ERR_INTERNAL);
    assert_string_equal(err.text, "gnuplot did not draw the figure: cannot \\x1B[31mdo\\n");
    assert_int_equal(draw_with(fake("head -c 3000000 /dev/zero >&2; cat >/dev/null; exit 1"), &err),
                     GS_ERR_INTERNAL);
    assert_int_equal(draw_with(fake("cat >/dev/null; exit 0"), &err), GS_ERR_INTERNAL);
    assert_int_equal(draw_with(fake("echo half a picture; kill -9 $$"), &err), GS_ERR_INTERNAL);
    assert_only("fake", NULL);
    assert_int_equal(draw_with(fake("echo '<svg><text>half'; exit 0"), &err), GS_ERR_INTERNAL);
    assert_string_equal(err.text, "gnuplot did not draw the figure: the picture has no end");
    assert_only("fake", NULL);
    assert_int_equal(draw_with(fake("cat >/dev/null; echo '<svg></svg>'"), &err), GS_OK);
    assert_only("fake", "p.svg");
}

/* Drawn with the true gnuplot; every beginning of it is refused. */
static void only_a_whole_picture_is_whole(void **state)
{
    (void)state;
    static const enum gs_picture kinds[] = {GS_PICTURE_SVG, GS_PICTURE_PNG, GS_PICTURE_PDF};
    static const struct gs_panel points = {
        .kind = GS_PLOT_SCATTER, .x = GS_COL_AT(4), .y = GS_COL_Y};
    const struct gs_plot plot = plot_of(&points, 1);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        struct gs_buf b = {.arena = &arena};
        const struct gs_draw_options o = {.width_px = 0};
        assert_int_equal(
            gs_plot_draw(frame_of(5, hostile), &plot, kinds[i], &o, gs_sink_buf(&b), NULL), GS_OK);
        assert_true(gs_picture_is_whole(kinds[i], gs_buf_str(&b)));
        size_t end = b.len; /* without blank lines behind */
        while (b.ptr[end - 1] == '\n')
            end--;
        for (size_t cut = 1; cut <= end; cut += cut < 300 ? 1 : 211)
            assert_false(gs_picture_is_whole(kinds[i], (struct gs_str){b.ptr, end - cut}));
    }
}

/* One that stops drawing but keeps its output open must not be waited for when the process is told to end. */
static void no_gnuplot_outlives_the_process(void **state)
{
    (void)state;
    const pid_t us = fork();
    if (us == 0) {
        (void)draw_with(fake("echo $$ > pid.tmp; mv pid.tmp pid; exec sleep 100"), NULL);
        _exit(0);
    }
    FILE *f = NULL;
    for (int i = 0; i < 2000 && f == NULL; i++, (void)usleep(5000))
        f = fopen("pid", "r");
    assert_non_null(f);
    int pid = 0;
    assert_int_equal(fscanf(f, "%d", &pid), 1);
    (void)fclose(f);
    assert_int_equal(kill(us, SIGKILL), 0);
    assert_int_equal(waitpid(us, NULL, 0), us);
    int gone = 0;
    for (int i = 0; i < 2000 && !gone; i++, (void)usleep(5000)) {
        char path[64], state_of[256] = "";
        (void)snprintf(path, sizeof path, "/proc/%d/stat", pid);
        FILE *const stat = fopen(path, "r");
        if (stat != NULL) {
            (void)!fread(state_of, 1, sizeof state_of - 1, stat);
            (void)fclose(stat);
        }
        gone = stat == NULL ||
               strstr(state_of, ") Z") != NULL; /* a zombie that init has not fetched is gone */
    }
    assert_true(gone);
    (void)unlink("pid");
    (void)unlink("fake");
    for (int k = 0; k < 10; k++) { /* what the process that was killed had begun */
        char name[64];
        (void)snprintf(name, sizeof name, ".gpustat-%ld-%d.tmp", (long)us, k);
        (void)unlink(name);
    }
}

static void no_descriptors_are_a_matter_of_memory(void **state)
{
    (void)state;
    struct gs_err err = {0};
    struct rlimit was;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &was), 0);
    const char *const program = fake("exit 0");
    const struct rlimit few = {12, was.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    int held[12], n = 0;
    while (n < 12 && (held[n] = dup(2)) >= 0)
        n++;
    if (n > 0)
        (void)close(held[--n]); /* for the picture's file */
    assert_int_equal(draw_with(program, &err), n == 0 ? GS_ERR_CANTCREATE : GS_ERR_MEMORY);
    while (n > 0)
        (void)close(held[--n]);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &was), 0);
    assert_only("fake", NULL);
}

/* Ids keep several pictures of one page apart: the figure's name, in the letters that gnuplot allows. */
static void the_ids_of_a_picture_begin_with_its_name(void **state)
{
    (void)state;
    static const struct gs_panel points = {
        .kind = GS_PLOT_SCATTER, .x = GS_COL_AT(4), .y = GS_COL_Y};
    static const char *const names[][2] = {{"figure-2'x\"", "id=\"figure_2_x__"},
                                           {NULL, "id=\"figure_"}};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct gs_plot plot = plot_of(&points, 1);
        struct gs_buf b = {.arena = &arena};
        const struct gs_draw_options o = {.width_px = 0};
        plot.name = names[i][0];
        assert_int_equal(
            gs_plot_draw(frame_of(5, hostile), &plot, GS_PICTURE_SVG, &o, gs_sink_buf(&b), NULL),
            GS_OK);
        assert_non_null(strstr(b.ptr, names[i][1]));
    }
}

static void the_suffix_chooses_the_picture(void **state)
{
    (void)state;
    enum gs_picture p = GS_PICTURE_PDF;
    struct gs_err err = {0};
    assert_int_equal(gs_picture_of("a/b.SVG", &p, &err), GS_OK);
    assert_int_equal(p, GS_PICTURE_SVG);
    assert_int_equal(gs_picture_of("x.png", &p, &err), GS_OK);
    assert_int_equal(p, GS_PICTURE_PNG);
    assert_int_equal(gs_picture_of("x.pdf", &p, &err), GS_OK);
    assert_int_equal(p, GS_PICTURE_PDF);
    assert_int_equal(gs_picture_of("x.gif\n", &p, &err), GS_ERR_USAGE);
    assert_string_equal(err.text, "x.gif\\n: a picture's name must end in .svg, .png or .pdf");
    assert_int_equal(p, GS_PICTURE_PDF);
    assert_int_equal(gs_picture_of(".svg", &p, NULL), GS_ERR_USAGE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)
    const struct CMUnitTest tests[] = {
        TEST(data_is_never_in_an_executable_place),
        TEST(datablocks_hold_numbers_only),
        TEST(hostile_names_are_drawn_and_run_nothing),
        TEST(a_saved_script_writes_what_out_names),
        TEST(pictures_are_the_same_twice_in_every_kind),
        TEST(the_users_settings_do_not_change_a_picture),
        TEST(dark_is_another_picture),
        TEST(a_figure_without_rows_says_so),
        TEST(odd_numbers_are_drawn),
        TEST(bars_begin_with_the_largest_and_carry_their_values),
        TEST(the_log_option_turns_only_willing_panels),
        TEST(the_fit_is_said_and_drawn),
        TEST(a_missing_y_breaks_the_line),
        TEST(a_column_that_is_not_there_is_a_bug_and_said),
        TEST(numbered_groups_come_in_the_order_of_their_numbers),
        TEST(long_names_are_cut_in_the_middle),
        TEST(a_map_of_codes_has_a_colour_for_each),
        TEST(cells_of_a_map_need_no_expressions),
        TEST(several_pictures_of_one_gnuplot_look_as_if_alone),
        TEST(a_missing_gnuplot_is_said_clearly),
        TEST(a_gnuplot_that_misbehaves_leaves_no_file),
        TEST(only_a_whole_picture_is_whole),
        TEST(no_gnuplot_outlives_the_process),
        TEST(no_descriptors_are_a_matter_of_memory),
        TEST(the_ids_of_a_picture_begin_with_its_name),
        TEST(the_suffix_chooses_the_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
