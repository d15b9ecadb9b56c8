/* test_text.c - counted text, buffers, escaping, UTF-8, interning. */
#include "fixture.h"

#include "base/core/intern.h"
#include "base/core/text.h"
#include "output/text/si.h"

#define STR(literal)                                                                               \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }

static void order_is_by_bytes_with_missing_first(void **state)
{
    (void)state;
    static const struct gs_str ascending[] = {{NULL, 0}, {"", 0},  {"a", 1},       {"a\0", 2},
                                              {"ab", 2}, {"b", 1}, {"\xc3\xa4", 2}};
    for (size_t i = 0; i < COUNT_OF(ascending); i++)
        for (size_t j = 0; j < COUNT_OF(ascending); j++) {
            const int order = gs_str_compare(ascending[i], ascending[j]);
            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
            assert_int_equal(gs_str_eq(ascending[i], ascending[j]), i == j);
        }
}

static void case_is_ignored_for_ascii_only(void **state)
{
    (void)state;
    assert_true(gs_str_eq_nocase(gs_str("gpuUUID"), gs_str("GPUuuid")));
    assert_false(gs_str_eq_nocase(gs_str("gpu"), gs_str("gpus")));
    assert_false(gs_str_eq_nocase(gs_str("\xc3\xa4"), gs_str("\xc3\x84")));
    assert_false(gs_str_eq_nocase(gs_str("@"), gs_str("`"))); /* 0x40 and 0x60 */
    assert_null(gs_str(NULL).ptr);
}

static void a_buffer_grows_and_formats(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    char expected[6 * 2000 + 1] = "";
    size_t n = 0;
    for (int i = 0; i < 2000; i++) {
        gs_buf_format(&b, "%04d", i);
        gs_buf_char(&b, ',');
        n += (size_t)snprintf(expected + n, sizeof expected - n, "%04d,", i);
    }
    assert_false(b.failed);
    assert_int_equal(b.len, n);
    assert_string_equal(b.ptr, expected);
    char long_text[5000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    gs_buf_format(&b, "%s", long_text);
    assert_int_equal(b.len, n + sizeof long_text - 1);
    gs_arena_release(&arena);
}

static void a_buffer_without_memory_says_so_at_the_end(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    gs_memory_fail_after(1);
    gs_buf_text(&b, "lost");
    gs_buf_char(&b, '!');
    gs_buf_format(&b, "%d", 1);
    gs_memory_fail_after(0);
    assert_true(b.failed);
    gs_arena_release(&arena);
}

static void what_could_hurt_a_terminal_is_escaped(void **state)
{
    (void)state;
    static const struct {
        struct gs_str text;
        const char *shown;
    } cases[] = {
        {STR("plain text"), "plain text"},
        {STR("gr\xc3\xbc\xc3\x9f"), "gr\xc3\xbc\xc3\x9f"},
        {STR("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80"},
        {STR("a\\b"), "a\\\\b"},
        {STR("a\nb\r\t"), "a\\nb\\r\\t"},
        {STR("\033[31m"), "\\x1B[31m"},
        {STR("a\0b"), "a\\x00b"},
        {STR("\x7f"), "\\x7F"},
        {STR("\xc2\x9b"), "\\u{9B}"},       /* C1: CSI */
        {STR("\xe2\x80\xae"), "\\u{202E}"}, /* right-to-left override */
        {STR("\xe2\x81\xa6"), "\\u{2066}"}, /* isolate */
        {STR("\xff\xfe"), "\\xFF\\xFE"},
        {STR("\xc0\xaf"), "\\xC0\\xAF"},                   /* overlong slash */
        {STR("\xed\xa0\x80"), "\\xED\\xA0\\x80"},          /* surrogate */
        {STR("\xf4\x90\x80\x80"), "\\xF4\\x90\\x80\\x80"}, /* beyond U+10FFFF */
        {STR("a\xe2\x82"), "a\\xE2\\x82"},                 /* cut off */
        {STR(""), ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char room[64];
        assert_string_equal(gs_escape(room, sizeof room, cases[i].text), cases[i].shown);
    }
}

static void escaped_text_is_cut_to_what_fits(void **state)
{
    (void)state;
    static const char text[] = "ab\033\xc3\xbc"
                               "cdefghij";
    char whole[64];
    const size_t len = strlen(gs_escape(whole, sizeof whole, gs_str(text)));
    for (size_t size = 1; size <= len + 2; size++) {
        char room[64];
        memset(room, '?', sizeof room);
        gs_escape(room, size, gs_str(text));
        assert_true(strlen(room) < size);
        assert_int_equal(room[size], '?');
        if (size > len + 3)
            assert_string_equal(room, whole);
        else if (size > 3)
            assert_string_equal(room + strlen(room) - 3, "...");
    }
    struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    gs_buf_escaped(&b, gs_str("abcdef"), 3);
    assert_string_equal(b.ptr, "abc...");
    gs_arena_release(&arena);
}

static void utf8_is_read_strictly(void **state)
{
    (void)state;
    unsigned code = 0;
    assert_int_equal(gs_utf8_next(gs_str("\xe2\x82\xac!"), &code), 3);
    assert_int_equal(code, 0x20ac);
    static const struct gs_str bad[] = {STR("\x80"),
                                        STR("\xc1\x81"),
                                        STR("\xe0\x80\x80"),
                                        STR("\xed\xbf\xbf"),
                                        STR("\xf5\x80\x80\x80"),
                                        STR("\xe2\x82"),
                                        STR("\xc3("),
                                        STR("\xfe")};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_int_equal(gs_utf8_next(bad[i], &code), 0);
    /* Every code point that is one comes back. */
    for (unsigned c = 1; c < 0x110000; c += c < 0x3000 ? 1 : 37) {
        char bytes[4];
        size_t n = 0;
        if (c >= 0xd800 && c < 0xe000)
            continue;
        if (c < 0x80)
            bytes[n++] = (char)c;
        else if (c < 0x800)
            bytes[n++] = (char)(0xc0 | c >> 6);
        else if (c < 0x10000)
            bytes[n++] = (char)(0xe0 | c >> 12), bytes[n++] = (char)(0x80 | (c >> 6 & 63));
        else
            bytes[n++] = (char)(0xf0 | c >> 18), bytes[n++] = (char)(0x80 | (c >> 12 & 63)),
            bytes[n++] = (char)(0x80 | (c >> 6 & 63));
        if (c >= 0x80)
            bytes[n++] = (char)(0x80 | (c & 63));
        assert_int_equal(gs_utf8_next((struct gs_str){bytes, n}, &code), n);
        assert_int_equal(code, c);
    }
}

static void interned_texts_have_one_number_each(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_intern in = {.arena = &arena, .seed = 7};
    assert_int_equal(gs_intern_find(&in, gs_str("x")), GS_INTERN_NONE);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 20000; i++) {
            char text[16];
            const int n = snprintf(text, sizeof text, "%u", i);
            assert_int_equal(gs_intern_add(&in, (struct gs_str){text, (size_t)n}), i);
            assert_int_equal(gs_intern_find(&in, (struct gs_str){text, (size_t)n}), i);
        }
    assert_int_equal(in.n, 20000);
    assert_int_equal(gs_intern_find(&in, gs_str("20000")), GS_INTERN_NONE);
    assert_int_equal(gs_intern_add(&in, gs_str("")), 20000);
    assert_int_equal(gs_intern_add(&in, (struct gs_str)STR("1\0")), 20001); /* not "1" */
    gs_arena_release(&arena);
}

static void ranks_follow_the_texts_whatever_the_seed(void **state)
{
    (void)state;
    static const char *const texts[] = {"b", "", "a", "ab", "B", "\xc3\xa4", "aa"};
    static const uint32_t rank_of[] = {5, 0, 2, 4, 1, 6, 3};
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct gs_arena arena = {0};
        struct gs_intern in = {.arena = &arena, .seed = seed};
        uint32_t *rank, *by_rank;
        for (size_t i = 0; i < COUNT_OF(texts); i++)
            (void)gs_intern_add(&in, gs_str(texts[i]));
        assert_int_equal(gs_intern_rank(&in, &arena, &rank, &by_rank), 0);
        for (uint32_t i = 0; i < COUNT_OF(texts); i++) {
            assert_int_equal(rank[i], rank_of[i]);
            assert_int_equal(by_rank[rank[i]], i);
        }
        gs_arena_release(&arena);
    }
}

static void interning_without_memory_leaves_the_set_as_it_was(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_intern in = {.arena = &arena};
    char text[70000];
    memset(text, 'x', sizeof text);
    assert_int_equal(gs_intern_add(&in, gs_str("held")), 0);
    gs_memory_fail_after(1);
    const uint32_t id = gs_intern_add(&in, (struct gs_str){text, sizeof text});
    gs_memory_fail_after(0);
    assert_int_equal(id, GS_INTERN_NONE);
    assert_int_equal(in.n, 1);
    assert_int_equal(gs_intern_find(&in, gs_str("held")), 0);
    assert_int_equal(gs_intern_add(&in, (struct gs_str){text, sizeof text}), 1);
    gs_arena_release(&arena);
}

static void hashes_depend_on_every_byte_and_the_seed(void **state)
{
    (void)state;
    char text[100] = {0};
    for (size_t len = 1; len < sizeof text; len++) {
        const uint64_t h = gs_hash(text, len, 1);
        assert_true(h != gs_hash(text, len, 2));
        assert_true(h != gs_hash(text, len - 1, 1));
        for (size_t i = 0; i < len; i++) {
            text[i] = 1;
            assert_true(h != gs_hash(text, len, 1));
            text[i] = 0;
        }
    }
}

static void numbers_in_texts_count_as_numbers(void **state)
{
    (void)state;
    static const char *const rising[] = {"",
                                         "GPU-5",
                                         "GPU-00000009",
                                         "GPU-0000000a",
                                         "GPU-0000000a-9",
                                         "GPU-0000000a-10",
                                         "a",
                                         "burst",
                                         "burst 2",
                                         "burst 02x",
                                         "burst 9",
                                         "burst 10",
                                         "burst 10a",
                                         "c1r9",
                                         "c1r10",
                                         "c2"};
    for (size_t i = 0; i < COUNT_OF(rising); i++)
        for (size_t k = 0; k < COUNT_OF(rising); k++) {
            const int order = gs_str_compare_natural(gs_str(rising[i]), gs_str(rising[k]));
            assert_int_equal((order > 0) - (order < 0), (i > k) - (i < k));
        }
    assert_true(gs_str_compare_natural(gs_str("a01"), gs_str("a1")) != 0);
    assert_true(gs_str_compare_natural((struct gs_str){0}, gs_str("")) < 0);
}

static void units_follow_the_size(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        double largest;
        const char *shown;
        double factor;
    } cases[] = {
        {"J", 359, "J", 1},
        {"J", 360, "Wh", 3600},
        {"J", 3.5e6, "Wh", 3600},
        {"J", 3.6e6, "kWh", 3.6e6},
        {"J", 3.5e10, "kWh", 3.6e6},
        {"J", -3.6e10, "MWh", 3.6e9},
        {"ms", 999, "ms", 1},
        {"ms", 1000, "s", 1000},
        {"ms", 6e5, "min", 6e4},
        {"ms", 1.1e7, "h", 3.6e6},
        {"s", 0.001, "ms", 1e-3},
        {"s", 0, "s", 1},
        {"s", 1, "s", 1},
        {"W", 9999, "W", 1},
        {"W", 1e4, "kW", 1e3},
        {"%", 1e9, "%", 1},
        {"h", 0.09, "s", 1.0 / 3600},
        {"h", 0.9, "min", 1.0 / 60},
        {"h", 1, "h", 1},
        {"h", 0, "h", 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct gs_si si = gs_si_of(cases[i].unit, cases[i].largest);
        assert_string_equal(si.unit, cases[i].shown);
        assert_true(si.factor == cases[i].factor);
    }
    assert_string_equal(gs_si_of(NULL, 1).unit, "");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_by_bytes_with_missing_first),
        cmocka_unit_test(case_is_ignored_for_ascii_only),
        cmocka_unit_test(a_buffer_grows_and_formats),
        cmocka_unit_test(a_buffer_without_memory_says_so_at_the_end),
        cmocka_unit_test(what_could_hurt_a_terminal_is_escaped),
        cmocka_unit_test(escaped_text_is_cut_to_what_fits),
        cmocka_unit_test(utf8_is_read_strictly),
        cmocka_unit_test(numbers_in_texts_count_as_numbers),
        cmocka_unit_test(units_follow_the_size),
        cmocka_unit_test(interned_texts_have_one_number_each),
        cmocka_unit_test(ranks_follow_the_texts_whatever_the_seed),
        cmocka_unit_test(interning_without_memory_leaves_the_set_as_it_was),
        cmocka_unit_test(hashes_depend_on_every_byte_and_the_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
