/* render_fixture.h - frames and rendering into memory, for the tests of src/render. */
#ifndef GPUSTAT_RENDER_FIXTURE_H
#define GPUSTAT_RENDER_FIXTURE_H

#include "fixture.h"

#include <math.h>

#include "output/writers/render.h"

/* Texts that have hurt somebody: quotes, line ends, shells, markup, formats, terminals, broken UTF-8. */
/* clang-format off */
static const struct gs_str hostile[] = {
#define LITERAL(s) {s, sizeof s - 1}
    LITERAL("plain"),
    LITERAL(""),
    LITERAL(" lead and trail "),
    LITERAL("a,b;c\td"),
    LITERAL("quote \" and '' single ' ones"),
    LITERAL("line\nfeed\r\nand return\r"),
    LITERAL("`touch pwned-backtick`"),
    LITERAL("$(touch pwned-dollar)"),
    LITERAL("'; system('touch pwned-system'); print '"),
    LITERAL("\"; system(\"touch pwned-double\"); \""),
    LITERAL("\n!touch pwned-bang\n"),
    LITERAL("@{} @pwned {/Symbol a} x^2 y_1 ~a{.8-}"),
    LITERAL("<script>alert(1)</script><img src=x onerror=alert(1)>"),
    LITERAL("</style></title></textarea>--><!--"),
    LITERAL("&amp; &lt; &#60;"),
    LITERAL("]]><![CDATA[ ]]]>"),
    LITERAL("END_OF_NUMBERS"),
    LITERAL("\nEND_OF_NUMBERS\nsystem('touch pwned-tag')\n$x << END_OF_NUMBERS"),
    LITERAL("100% %s %n %d %g %%"),
    LITERAL("back\\slash \\ at end\\"),
    LITERAL("{ brace } # hash ; semicolon"),
    LITERAL("| pipe | [link](javascript:alert(1)) ![x](y) *b* _i_ ~~s~~ @name #1 http://x.yz"),
    LITERAL("\033[31mred\033[0m\007\b\b\x7f"),
    LITERAL("\xc2\x9b" "31m C1"),
    LITERAL("bidi \xe2\x80\xae" "txt.exe \xe2\x81\xa6"),
    LITERAL("\xff\xfe broken \xc3 \xed\xa0\x80 \xf5"),
    LITERAL("nul\0inside"),
    LITERAL("=cmd|' /C calc'!A0"),
    LITERAL("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e na\xc3\xafve e\xcc\x81 \xf0\x9f\x98\x80"),
#undef LITERAL
};
/* clang-format on */

static const struct gs_column_spec fixture_specs[] = {
    {.name = "event", .label = "event", .unit = "", .type = GS_TYPE_TEXT, .how = ""},
    {.name = "n", .label = "events", .unit = "", .type = GS_TYPE_INT, .how = ""},
    {.name = "power_mean_w",
     .label = "mean power",
     .unit = "W",
     .type = GS_TYPE_REAL,
     .decimals = 2,
     .how = ""},
    {.name = "start", .label = "start", .unit = "", .type = GS_TYPE_TIME, .how = ""},
    {.name = "job", .label = "job", .unit = "", .type = GS_TYPE_INT, .how = "", .is_id = true},
};

/* One row for every hostile text; rows at 1 mod 5 miss their numbers. */
static inline struct gs_frame *hostile_frame(struct gs_arena *a, struct gs_frames *out)
{
    static const struct gs_panel bars = {
        .kind = GS_PLOT_BARS, .x = GS_COL_EVENT, .y = GS_COL_POWER_MEAN_W};
    static const struct gs_plot plot = {
        .name = "hostile", .title = "Hostile events", .n_panels = 1, .panels = &bars};
    struct gs_frame *f;
    assert_int_equal(gs_frame_new(a,
                                  &(struct gs_frame_head){"events", "Hostile events", fixture_specs,
                                                          COUNT_OF(fixture_specs)},
                                  COUNT_OF(hostile), out, &f, NULL),
                     GS_OK);
    for (size_t r = 0; r < f->n_rows; r++) {
        gs_frame_set_text(f, r, 0, hostile[r]);
        if (r % 5 == 1)
            continue;
        gs_frame_set_int(f, r, 1, (int64_t)r * 66040);
        gs_frame_set_real(f, r, 2, 36.67 + (double)r / 3);
        gs_frame_set_time(f, r, 3, INT64_C(1541660000000000000) + (int64_t)r * 12345678901);
        gs_frame_set_int(f, r, 4, 1234567);
    }
    f->plot = &plot;
    return f;
}

/* Renders into memory of `a`; NUL-terminated. */
static inline struct gs_str rendered(struct gs_arena *a, const struct gs_frame *f,
                                     enum gs_format format, const struct gs_render_options *options)
{
    static const struct gs_render_options plain = {0};
    struct gs_buf b = {.arena = a};
    struct gs_err err = {0};
    if (gs_render(f, format, options == NULL ? &plain : options, gs_sink_buf(&b), &err) != GS_OK)
        fail_msg("%s", err.text);
    gs_buf_bytes(&b, "", 0);
    return gs_buf_str(&b);
}

#endif
