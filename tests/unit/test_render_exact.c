/* test_render_exact.c - what was written reads back as what was meant: CSV, TSV, JSON and HTML. */
#include "render_fixture.h"
#include "arena_fixture.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#include "base/num/timestamp.h"

/* Bytes that matter to some format far more often than chance would have them; never NUL first. */
static struct gs_str random_text(void)
{
    static const char alphabet[] = "\",\n\r\t '\\|<&;a0-.\xc3\xa9\xff\x01\xe2\x82\xac";
    const size_t len = random_bits() % 12;
    char *const p = gs_arena_take(&arena, len + 1, 1);
    for (size_t i = 0; i < len; i++)
        p[i] = alphabet[random_bits() % (sizeof alphabet - 1)];
    return (struct gs_str){p, len};
}

static double random_real(void)
{
    union {
        uint64_t bits;
        double value;
    } u;
    switch (random_bits() % 4) {
    case 0:
        return (double)(int64_t)(random_bits() % 2000000) / 1000 - 1000;
    case 1:
        return (double)(random_bits() % 1000) / 3;
    case 2:
        return 0;
    default:
        do
            u.bits = random_bits();
        while (!isfinite(u.value));
        return u.value;
    }
}

static struct gs_frame *random_frame(size_t n_rows, struct gs_frames *out)
{
    struct gs_frame *f;
    assert_int_equal(gs_frame_new(&arena,
                                  &(struct gs_frame_head){"random", "Random", fixture_specs,
                                                          COUNT_OF(fixture_specs)},
                                  n_rows, out, &f, NULL),
                     GS_OK);
    for (size_t r = 0; r < n_rows; r++) {
        if (random_bits() % 8 != 0)
            gs_frame_set_text(f, r, 0, random_text());
        if (random_bits() % 8 != 0)
            gs_frame_set_int(f, r, 1, (int64_t)(random_bits() >> (random_bits() % 60)) - 5000);
        if (random_bits() % 8 != 0)
            gs_frame_set_real(f, r, 2, random_real());
        if (random_bits() % 8 != 0)
            gs_frame_set_time(f, r, 3, (int64_t)(random_bits() % UINT64_C(4000000000000000000)));
        gs_frame_set_int(f, r, 4, (int64_t)r);
    }
    return f;
}

/* Does the text of a cell read back as the frame's value? The reader is C's own, not gpustat's. */
static void assert_cell(const struct gs_frame *f, size_t row, size_t column, const char *text,
                        size_t len, bool quoted)
{
    const struct gs_column *const c = &f->columns[column];
    if (gs_frame_is_missing(f, row, column)) {
        assert_int_equal(len, 0);
        assert_false(quoted);
        return;
    }
    switch (c->spec->type) {
    case GS_TYPE_TEXT:
        assert_int_equal(len, c->text[row].len);
        assert_memory_equal(text, c->text[row].ptr, len);
        return;
    case GS_TYPE_INT:
        assert_int_equal(strtoll(text, NULL, 10), c->integer[row]);
        return;
    case GS_TYPE_REAL:
        assert_true(strtod(text, NULL) == c->real[row]);
        return;
    case GS_TYPE_TIME: {
        struct gs_time_reader reader = {0};
        int64_t t = 0;
        assert_true(gs_time_parse(&reader, (struct gs_str){text, len}, &t));
        assert_int_equal(t, c->integer[row]);
        return;
    }
    }
}

/* RFC 4180 as its grammar says it, one field at a time. */
static const char *read_csv_field(const char *p, char *field, size_t *len, bool *quoted)
{
    *len = 0;
    *quoted = *p == '"';
    if (!*quoted) {
        for (; *p != ',' && *p != '\n'; p++) {
            assert_true(*p != '"' && *p != '\r' && *p != '\0');
            field[(*len)++] = *p;
        }
    } else {
        for (p++; *p != '"' || p[1] == '"'; p++) {
            p += *p == '"';
            field[(*len)++] = *p;
        }
        p++;
    }
    field[*len] = '\0';
    assert_true(*p == ',' || *p == '\n');
    return p;
}

static void csv_reads_back_as_the_frame(void **state)
{
    (void)state;
    for (int k = 0; k < 60; k++) {
        const struct gs_frame *const f = random_frame(50, NULL);
        const char *p = rendered(&arena, f, GS_FORMAT_CSV, NULL).ptr;
        p = strchr(p, '\n') + 1;
        for (size_t r = 0; r < f->n_rows; r++) {
            for (size_t c = 0; c < f->n_columns; c++) {
                char field[256];
                size_t len;
                bool quoted;
                p = read_csv_field(p, field, &len, &quoted);
                assert_cell(f, r, c, field, len, quoted);
                assert_int_equal(*p, c + 1 < f->n_columns ? ',' : '\n');
                p++;
            }
        }
        assert_int_equal(*p, '\0');
    }
}

static void tsv_reads_back_as_the_frame(void **state)
{
    (void)state;
    for (int k = 0; k < 60; k++) {
        const struct gs_frame *const f = random_frame(50, NULL);
        const char *p = strchr(rendered(&arena, f, GS_FORMAT_TSV, NULL).ptr, '\n') + 1;
        for (size_t r = 0; r < f->n_rows; r++) {
            for (size_t c = 0; c < f->n_columns; c++, p++) {
                char field[256];
                size_t len = 0;
                for (; *p != '\t' && *p != '\n'; p++) {
                    if (*p == '\\') {
                        p++;
                        field[len++] = *p == 't'   ? '\t'
                                       : *p == 'n' ? '\n'
                                       : *p == 'r' ? '\r'
                                                   : '\\';
                    } else {
                        field[len++] = *p;
                    }
                }
                field[len] = '\0';
                assert_cell(f, r, c, field, len, false);
                assert_int_equal(*p, c + 1 < f->n_columns ? '\t' : '\n');
            }
        }
        assert_int_equal(*p, '\0');
    }
}

/* Text as JSON must hold it: every byte that is not UTF-8 is U+FFFD. */
static struct gs_str repaired(struct gs_str text)
{
    struct gs_buf b = {.arena = &arena};
    gs_buf_bytes(&b, "", 0);
    for (size_t i = 0; i < text.len;) {
        unsigned c;
        const size_t n = gs_utf8_next((struct gs_str){text.ptr + i, text.len - i}, &c);
        gs_buf_bytes(&b, n == 0 ? "\xEF\xBF\xBD" : text.ptr + i, n == 0 ? 3 : n);
        i += n == 0 ? 1 : n;
    }
    return gs_buf_str(&b);
}

static void assert_json_row(const cJSON *row, const struct gs_frame *f, size_t r)
{
    assert_int_equal(cJSON_GetArraySize(row), f->n_columns);
    for (size_t c = 0; c < f->n_columns; c++) {
        const cJSON *const cell = cJSON_GetObjectItemCaseSensitive(row, f->columns[c].spec->name);
        assert_non_null(cell);
        if (gs_frame_is_missing(f, r, c)) {
            assert_true(cJSON_IsNull(cell));
            continue;
        }
        switch (f->columns[c].spec->type) {
        case GS_TYPE_TEXT:
            assert_string_equal(cell->valuestring, repaired(f->columns[c].text[r]).ptr);
            break;
        case GS_TYPE_INT:
            assert_true(cell->valuedouble == (double)f->columns[c].integer[r]);
            break;
        case GS_TYPE_REAL:
            assert_true(cell->valuedouble == f->columns[c].real[r]);
            break;
        case GS_TYPE_TIME:
            assert_cell(f, r, c, cell->valuestring, strlen(cell->valuestring), false);
            break;
        }
    }
}

static void assert_json_frame(const cJSON *doc, const struct gs_frame *f)
{
    char schema[64];
    (void)snprintf(schema, sizeof schema, "gpustat.%s/1", f->name);
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(doc, "schema")->valuestring, schema);
    const cJSON *const columns = cJSON_GetObjectItemCaseSensitive(doc, "columns");
    assert_int_equal(cJSON_GetArraySize(columns), f->n_columns);
    for (size_t c = 0; c < f->n_columns; c++) {
        const cJSON *const column = cJSON_GetArrayItem(columns, (int)c);
        assert_string_equal(cJSON_GetObjectItemCaseSensitive(column, "name")->valuestring,
                            f->columns[c].spec->name);
        assert_string_equal(cJSON_GetObjectItemCaseSensitive(column, "unit")->valuestring,
                            f->columns[c].spec->unit);
    }
    const cJSON *const rows = cJSON_GetObjectItemCaseSensitive(doc, "rows");
    assert_int_equal(cJSON_GetArraySize(rows), f->n_rows);
    size_t r = 0;
    for (const cJSON *row = rows->child; row != NULL; row = row->next)
        assert_json_row(row, f, r++);
}

static cJSON *parsed(struct gs_str text)
{
    const char *end = NULL;
    cJSON *const doc = cJSON_ParseWithLengthOpts(text.ptr, text.len + 1, &end, true);
    if (doc == NULL)
        fail_msg("not JSON at %.40s", end);
    return doc;
}

static void json_reads_back_as_the_frame(void **state)
{
    (void)state;
    for (int k = 0; k < 60; k++) {
        const struct gs_frame *const f = random_frame((size_t)k, NULL);
        cJSON *const doc = parsed(rendered(&arena, f, GS_FORMAT_JSON, NULL));
        assert_json_frame(doc, f);
        cJSON_Delete(doc);
    }
}

static void json_of_several_frames_is_an_array(void **state)
{
    (void)state;
    struct gs_frames out = {.notes.arena = &arena};
    (void)random_frame(3, &out);
    (void)hostile_frame(&arena, &out);
    cJSON *doc = parsed(rendered(&arena, out.first, GS_FORMAT_JSON, NULL));
    assert_true(cJSON_IsArray(doc));
    assert_int_equal(cJSON_GetArraySize(doc), 2);
    assert_json_frame(cJSON_GetArrayItem(doc, 0), out.first);
    cJSON_Delete(doc);
    doc = parsed(rendered(&arena, NULL, GS_FORMAT_JSON, NULL));
    assert_true(cJSON_IsArray(doc) && cJSON_GetArraySize(doc) == 0);
    cJSON_Delete(doc);
}

static void every_line_of_jsonl_is_a_row(void **state)
{
    (void)state;
    const struct gs_frame *const f = random_frame(40, NULL);
    const char *line = rendered(&arena, f, GS_FORMAT_JSONL, NULL).ptr;
    size_t r = 0;
    for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        cJSON *const row = cJSON_ParseWithLength(line, (size_t)(end - line));
        assert_non_null(row);
        assert_json_row(row, f, r++);
        cJSON_Delete(row);
    }
    assert_int_equal(r, f->n_rows);
    assert_int_equal(*line, '\0');
}

static void an_infinite_number_is_null_in_json(void **state)
{
    (void)state;
    struct gs_frame *const f = random_frame(1, NULL);
    gs_frame_set_real(f, 0, 2, HUGE_VAL);
    assert_non_null(
        strstr(rendered(&arena, f, GS_FORMAT_JSON, NULL).ptr, "\"power_mean_w\": null"));
}

/* What the browser's parser would see: after removing our own tags no mark of markup may be left. */
static void html_holds_data_only_as_text(void **state)
{
    (void)state;
    static const char *const ours[] = {
        "<th scope=\"row\">",
        "<th scope=\"col\">",
        "<th scope=\"col\" class=\"n\">",
        "<th scope=\"col\" class=\"t\">",
        "</th>",
        "<td>",
        "<td class=\"n\">",
        "<td class=\"t\">",
        "</td>",
        "<tr>",
        "</tr>",
        "<span class=\"m\" title=\"missing\">",
        "<span class=\"u\">",
        "</span>",
        "<table>",
        "</table>",
        "<caption>",
        "</caption>",
        "<thead>",
        "</thead>",
        "<tbody>",
        "</tbody>",
        "</div>",
        "<div class=\"gs-table\" role=\"region\" tabindex=\"0\" aria-label=\"Hostile events\">"};
    const struct gs_render_options o = {.fragment = true};
    const char *p = rendered(&arena, hostile_frame(&arena, NULL), GS_FORMAT_HTML, &o).ptr;
    while (*p != '\0') {
        if (*p == '<') {
            size_t i = 0;
            while (i < COUNT_OF(ours) && strncmp(p, ours[i], strlen(ours[i])) != 0)
                i++;
            if (i == COUNT_OF(ours))
                fail_msg("not our tag: %.40s", p);
            p += strlen(ours[i]);
            continue;
        }
        assert_true(*p != '>' && *p != '"' && *p != '\'');
        p++;
    }
}

static void the_page_asks_for_nothing(void **state)
{
    (void)state;
    const char *const page =
        rendered(&arena, hostile_frame(&arena, NULL), GS_FORMAT_HTML, NULL).ptr;
    assert_int_equal(strncmp(page, "<!doctype html>\n", 16), 0);
    assert_non_null(
        strstr(page, "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"));
    assert_non_null(strstr(page, "prefers-color-scheme: dark"));
    assert_non_null(strstr(page, "width=device-width"));
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "<img"));
    assert_null(strstr(page, "url("));
}

/* More rows than several rounds of blocks, so that their order is at stake. */
static void bytes_do_not_depend_on_threads(void **state)
{
    (void)state;
    const struct gs_frame *const f = random_frame(30000, NULL);
    for (int format = 0; format < GS_N_FORMATS; format++) {
        if (format == GS_FORMAT_GNUPLOT)
            continue;
        struct gs_render_options o = {.width = 80, .n_threads = 1};
        const struct gs_str one = rendered(&arena, f, (enum gs_format)format, &o);
        for (o.n_threads = 2; o.n_threads <= 7; o.n_threads += 5) {
            const struct gs_str many = rendered(&arena, f, (enum gs_format)format, &o);
            assert_int_equal(one.len, many.len);
            assert_memory_equal(one.ptr, many.ptr, one.len);
        }
    }
}

struct failing {
    size_t after;
};

static enum gs_status fail_later(void *context, const char *bytes, size_t len, struct gs_err *err)
{
    struct failing *const f = context;
    (void)bytes;
    if (len > f->after)
        return gs_fail(err, GS_ERR_IO, "writing failed: on purpose");
    f->after -= len;
    return GS_OK;
}

/* At whatever byte the disk fills up, the failure comes out and nothing more is offered. */
static void a_failing_sink_stops_every_format(void **state)
{
    (void)state;
    struct gs_frames out = {.notes.arena = &arena};
    (void)hostile_frame(&arena, &out);
    (void)random_frame(5, &out);
    const struct gs_render_options o = {.titles = true};
    for (int format = 0; format < GS_N_FORMATS; format++) {
        const size_t len = rendered(&arena, out.first, (enum gs_format)format, &o).len;
        assert_true(len > 100);
        for (size_t after = 0; after < len; after += 1 + len / 97) {
            struct failing f = {after};
            struct gs_err err = {0};
            assert_int_equal(gs_render(out.first, (enum gs_format)format, &o,
                                       (struct gs_sink){fail_later, &f}, &err),
                             GS_ERR_IO);
            assert_string_equal(err.text, "writing failed: on purpose");
        }
    }
}

static void running_out_of_memory_is_an_error_everywhere(void **state)
{
    (void)state;
    struct gs_frames out = {.notes.arena = &arena};
    (void)hostile_frame(&arena, &out);
    for (int format = 0; format < GS_N_FORMATS; format++) {
        enum gs_status s = GS_ERR_MEMORY;
        for (uint64_t n = 1; n < 200 && s != GS_OK; n++) {
            struct gs_render_options o = {.n_threads = 1};
            struct failing sink = {SIZE_MAX};
            struct gs_err err = {0};
            gs_memory_fail_after(n);
            s = gs_render(out.first, (enum gs_format)format, &o,
                          (struct gs_sink){fail_later, &sink}, &err);
            gs_memory_fail_after(0);
            if (s != GS_OK)
                assert_int_equal(s, GS_ERR_MEMORY);
        }
        assert_int_equal(s, GS_OK);
    }
}

static void every_format_has_a_name_and_a_suffix(void **state)
{
    (void)state;
    for (int i = 0; i < GS_N_FORMATS; i++) {
        const struct gs_format_info *const info = gs_format_info((enum gs_format)i);
        assert_string_equal(info->name, gs_format_names[i]);
        assert_int_equal(info->suffix[0], '.');
    }
    assert_null(gs_format_names[GS_N_FORMATS]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, forget)
    const struct CMUnitTest tests[] = {
        TEST(csv_reads_back_as_the_frame),
        TEST(tsv_reads_back_as_the_frame),
        TEST(json_reads_back_as_the_frame),
        TEST(json_of_several_frames_is_an_array),
        TEST(every_line_of_jsonl_is_a_row),
        TEST(an_infinite_number_is_null_in_json),
        TEST(html_holds_data_only_as_text),
        TEST(the_page_asks_for_nothing),
        TEST(bytes_do_not_depend_on_threads),
        TEST(a_failing_sink_stops_every_format),
        TEST(running_out_of_memory_is_an_error_everywhere),
        TEST(every_format_has_a_name_and_a_suffix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
