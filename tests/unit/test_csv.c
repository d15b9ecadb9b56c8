/*
 * test_csv.c - the strict reader: rows, lines and errors, the same for every way of cutting the input.
 * The cases named after files of csv-spectrum (npm package of M. Ogden, MIT) are written after them by hand.
 */
#define _GNU_SOURCE
#include "arena_fixture.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "input/bytes/csv.h"
#include "base/os/output.h"

/* Rows as one text: fields between |, each row after its line number. */
struct collector {
    struct gs_buf text;
    bool raw;
};

static enum gs_status collect(void *context, const struct gs_csv_row *row, struct gs_err *err)
{
    struct collector *const c = context;
    (void)err;
    gs_buf_format(&c->text, "%llu:", (unsigned long long)row->line);
    for (size_t i = 0; i < row->n_fields; i++) {
        gs_buf_char(&c->text, '|');
        gs_buf_bytes(&c->text, row->field[i].ptr, row->field[i].len);
    }
    if (c->raw) {
        gs_buf_text(&c->text, "<");
        gs_buf_bytes(&c->text, row->raw.ptr, row->raw.len);
        gs_buf_text(&c->text, ">");
    }
    gs_buf_text(&c->text, "|\n");
    return GS_OK;
}

/* What a reading in pieces of `chunk` bytes comes to: the rows, or the rows up to the error and its text. */
static const char *read_in_pieces(const char *bytes, size_t len, size_t chunk, bool raw)
{
    struct collector c = {{.arena = &arena}, raw};
    struct gs_csv_parser *p = NULL;
    struct gs_err err = {0};
    const struct gs_csv_options o = {.name = "f.csv", .keep_raw = raw};
    assert_int_equal(gs_csv_open(&o, collect, &c, &arena, &p, &err), GS_OK);
    enum gs_status s = GS_OK;
    for (size_t i = 0; i < len && s == GS_OK; i += chunk)
        s = gs_csv_feed(p, bytes + i, len - i < chunk ? len - i : chunk, &err);
    if (s == GS_OK)
        s = gs_csv_finish(p, &err);
    gs_csv_close(p);
    if (s != GS_OK) {
        assert_int_equal(s, GS_ERR_DATA);
        gs_buf_text(&c.text, err.text);
    }
    assert_false(c.text.failed);
    return c.text.ptr == NULL ? "" : c.text.ptr;
}

static void expect_bytes(const char *bytes, size_t len, const char *want)
{
    for (size_t chunk = 1; chunk <= len + 1; chunk++) {
        const struct gs_arena_mark mark = gs_arena_mark(&arena);
        assert_string_equal(read_in_pieces(bytes, len, chunk, false), want);
        gs_arena_rewind(&arena, mark);
    }
}

#define EXPECT(bytes, want) expect_bytes(bytes, sizeof(bytes) - 1, want)

static void the_cases_of_csv_spectrum_read_right(void **state)
{
    (void)state;
    /* comma_in_quotes */
    EXPECT("first,last,address,city,zip\nJohn,Doe,120 any st.,\"Anytown, WW\",08123\n",
           "1:|first|last|address|city|zip|\n2:|John|Doe|120 any st.|Anytown, WW|08123|\n");
    /* empty, empty_crlf */
    EXPECT("a,b,c\n1,\"\",\"\"\n2,3,4\n", "1:|a|b|c|\n2:|1|||\n3:|2|3|4|\n");
    EXPECT("a,b,c\r\n1,\"\",\"\"\r\n2,3,4\r\n", "1:|a|b|c|\n2:|1|||\n3:|2|3|4|\n");
    /* escaped_quotes */
    EXPECT("a,b\n1,\"ha \"\"ha\"\" ha\"\n3,4\n", "1:|a|b|\n2:|1|ha \"ha\" ha|\n3:|3|4|\n");
    /* json */
    EXPECT("key,val\n1,\"{\"\"type\"\": \"\"Point\"\", \"\"coordinates\"\": [102.0, 0.5]}\"\n",
           "1:|key|val|\n2:|1|{\"type\": \"Point\", \"coordinates\": [102.0, 0.5]}|\n");
    /* location_coordinates */
    EXPECT("Contact Phone Number,Location "
           "Coordinates,Cities,Counties\n2123456789,\"+43.166-74.1\",Someville,\"A, B\"\n",
           "1:|Contact Phone Number|Location "
           "Coordinates|Cities|Counties|\n2:|2123456789|+43.166-74.1|Someville|A, B|\n");
    /* newlines, newlines_crlf */
    EXPECT("a,b,c\n1,2,3\n\"Once upon \na time\",5,6\n7,8,9\n",
           "1:|a|b|c|\n2:|1|2|3|\n3:|Once upon \na time|5|6|\n5:|7|8|9|\n");
    EXPECT("a,b,c\r\n1,2,3\r\n\"Once upon \r\na time\",5,6\r\n7,8,9\r\n",
           "1:|a|b|c|\n2:|1|2|3|\n3:|Once upon \r\na time|5|6|\n5:|7|8|9|\n");
    /* quotes_and_newlines */
    EXPECT("a,b\n1,\"ha \n\"\"ha\"\" \nha\"\n3,4\n", "1:|a|b|\n2:|1|ha \n\"ha\" \nha|\n5:|3|4|\n");
    /* simple, simple_crlf */
    EXPECT("a,b,c\n1,2,3\n", "1:|a|b|c|\n2:|1|2|3|\n");
    EXPECT("a,b,c\r\n1,2,3\r\n", "1:|a|b|c|\n2:|1|2|3|\n");
    /* utf8 */
    EXPECT("a,b,c\n1,2,3\n4,5,\xca\xa4\n", "1:|a|b|c|\n2:|1|2|3|\n3:|4|5|\xca\xa4|\n");
}

static void edges_of_the_format_read_right(void **state)
{
    (void)state;
    EXPECT("", "");
    EXPECT("\n\r\n\n", "");
    EXPECT("\xef\xbb\xbf"
           "a,b\n1,2",
           "1:|a|b|\n2:|1|2|\n");
    EXPECT("\xef\xbb\xbf", "");
    EXPECT("\xef\xbb"
           "a\n",
           "1:|\xef\xbb"
           "a|\n");
    EXPECT("\xef\xbb\xbf\"a,\",b\n", "1:|a,|b|\n");
    EXPECT("a,b\n1,2", "1:|a|b|\n2:|1|2|\n");
    EXPECT("a,b\n1,\"2\"", "1:|a|b|\n2:|1|2|\n");
    EXPECT("a,b\r1,2\r", "1:|a|b|\n2:|1|2|\n");
    EXPECT("a,b\n\n\n1,2\n", "1:|a|b|\n4:|1|2|\n");
    EXPECT("a\r\n\r\nb\r\n", "1:|a|\n3:|b|\n");
    EXPECT(",\n,,\n", "1:|||\n2:||||\n");
    EXPECT("\"\"\n", "1:||\n");
    EXPECT("  a  ,\" b \"\n", "1:|a| b |\n");
    EXPECT("a\"b,c\n", "f.csv:1: a quote in the wrong place, expected quotes around a whole field "
                       "and doubled inside");
}

static void malformed_input_is_named_with_its_line(void **state)
{
    (void)state;
    EXPECT("a,b\n1,\"2\n3,4\n", "1:|a|b|\nf.csv:2: a quote is opened and never closed");
    EXPECT("a,b\n\"1\"x,2\n", "1:|a|b|\nf.csv:2: a quote in the wrong place, expected quotes "
                              "around a whole field and doubled inside");
    EXPECT("a,b\n1,2\0\n", "1:|a|b|\nf.csv:2: a NUL byte, expected text");
    EXPECT("a,b\n\"x\n\0\n", "1:|a|b|\nf.csv:3: a NUL byte, expected text");
}

static void a_row_is_kept_as_it_was(void **state)
{
    (void)state;
    static const char bytes[] = "a, b \r\n\"x\"\"y\",\"1\n2\"\n\n\"z\"";
    for (size_t chunk = 1; chunk < sizeof bytes; chunk++)
        assert_string_equal(read_in_pieces(bytes, sizeof bytes - 1, chunk, true),
                            "1:|a|b<a, b >|\n2:|x\"y|1\n2<\"x\"\"y\",\"1\n2\">|\n5:|z<\"z\">|\n");
}

static void a_field_of_a_hundred_megabytes_is_refused(void **state)
{
    (void)state;
    static char piece[1 << 16];
    struct collector c = {{.arena = &arena}, false};
    struct gs_csv_parser *p;
    struct gs_err err = {0};
    const struct gs_csv_options o = {.name = "f.csv"};
    memset(piece, 'x', sizeof piece);
    assert_int_equal(gs_csv_open(&o, collect, &c, &arena, &p, &err), GS_OK);
    enum gs_status s = gs_csv_feed(p, "a\nb,", 4, &err);
    size_t n_fed = 0;
    for (; s == GS_OK && n_fed < 100 << 20; n_fed += sizeof piece)
        s = gs_csv_feed(p, piece, sizeof piece, &err);
    assert_int_equal(s, GS_ERR_DATA);
    assert_true(n_fed < 3 << 20); /* and soon */
    assert_string_equal(err.text, "f.csv:2: a field of more than 1048576 bytes");
    gs_csv_close(p);
}

/* The limit is exact, whatever steps libcsv grows its buffer in. */
static void a_field_may_have_one_mebibyte_and_not_a_byte_more(void **state)
{
    (void)state;
    static char text[GS_CSV_FIELD_BYTES_MAX + 8];
    for (size_t more = 0; more < 2; more++) {
        const size_t n = GS_CSV_FIELD_BYTES_MAX + more;
        memset(text, 'x', n);
        memcpy(text + n, ",1\n", 3);
        const char *const got = read_in_pieces(text, n + 3, 1 << 16, false);
        if (more == 0)
            assert_int_equal(strlen(got), strlen("1:|") + n + strlen("|1|\n"));
        else
            assert_string_equal(got, "f.csv:1: a field of more than 1048576 bytes");
        gs_arena_release(&arena);
    }
}

/* Blank lines are passed over in bulk: a hundred million must not take minutes, and lines are counted. */
static void blank_lines_are_counted_however_they_end(void **state)
{
    (void)state;
    EXPECT("\n\n\r\n\r\r\na,b\n\n\r\n1,2\r\n\r\n\r\r3,4", "6:|a|b|\n9:|1|2|\n13:|3|4|\n");
    EXPECT("a,\"\n\n\r\n\"\n\n1,2\n", "1:|a|\n\n\r\n|\n6:|1|2|\n");
    static char lines[1 << 20];
    struct collector c = {{.arena = &arena}, false};
    struct gs_csv_parser *p;
    const struct gs_csv_options o = {.name = "f.csv"};
    memset(lines, '\n', sizeof lines);
    assert_int_equal(gs_csv_open(&o, collect, &c, &arena, &p, NULL), GS_OK);
    for (int i = 0; i < 100; i++)
        assert_int_equal(gs_csv_feed(p, lines, sizeof lines, NULL), GS_OK);
    assert_int_equal(gs_csv_feed(p, "x\n", 2, NULL), GS_OK);
    assert_int_equal(gs_csv_finish(p, NULL), GS_OK);
    gs_csv_close(p);
    assert_string_equal(c.text.ptr, "104857601:|x|\n");
}

static void a_row_of_too_many_fields_is_refused(void **state)
{
    (void)state;
    static char bytes[GS_CSV_FIELDS_MAX + 2];
    memset(bytes, ',', sizeof bytes);
    bytes[GS_CSV_FIELDS_MAX - 1] = '\n';
    const char *const fits = read_in_pieces(bytes, GS_CSV_FIELDS_MAX, 1000, false);
    assert_int_equal(strlen(fits), strlen("1:") + GS_CSV_FIELDS_MAX + strlen("|\n"));
    bytes[GS_CSV_FIELDS_MAX - 1] = ',';
    bytes[GS_CSV_FIELDS_MAX] = '\n';
    assert_string_equal(read_in_pieces(bytes, GS_CSV_FIELDS_MAX + 1, 1000, false),
                        "f.csv:1: more than 4096 fields in one row");
}

/* Writes a random table with every kind of quoting and reads it back, cut at random. */
static void random_tables_come_out_as_they_went_in(void **state)
{
    (void)state;
    static const char letters[] = "ab,\"\n\r x\xc3\xa4";
    for (int round = 0; round < 500; round++) {
        struct gs_buf bytes = {.arena = &arena}, want = {.arena = &arena};
        unsigned long long line = 1;
        for (uint64_t r = 1 + random_below(6); r > 0; r--) {
            const uint64_t n_fields = 2 + random_below(4);
            gs_buf_format(&want, "%llu:", line);
            for (uint64_t f = 0; f < n_fields; f++) {
                char field[12];
                const size_t len = random_below(sizeof field);
                bool plain = len > 0;
                for (size_t i = 0; i < len; i++) {
                    field[i] = letters[random_below(sizeof letters - 1)];
                    plain &= strchr(",\"\n\r ", field[i]) == NULL;
                }
                gs_buf_text(&bytes, f > 0 ? "," : "");
                if (!plain || random_below(2) == 0) {
                    gs_buf_char(&bytes, '"');
                    for (size_t i = 0; i < len; i++) {
                        gs_buf_text(&bytes, field[i] == '"' ? "\"" : "");
                        gs_buf_char(&bytes, field[i]);
                        line += field[i] == '\n' ||
                                (field[i] == '\r' && (i + 1 == len || field[i + 1] != '\n'));
                    }
                    gs_buf_char(&bytes, '"');
                } else {
                    gs_buf_bytes(&bytes, field, len);
                }
                gs_buf_char(&want, '|');
                gs_buf_bytes(&want, field, len);
            }
            gs_buf_text(&bytes, random_below(2) == 0 ? "\n" : "\r\n");
            gs_buf_text(&want, "|\n");
            line++;
        }
        assert_string_equal(
            read_in_pieces(bytes.ptr, bytes.len, 1 + random_below(bytes.len), false), want.ptr);
        gs_arena_release(&arena);
    }
}

/* A table from a file in memory. */
static enum gs_status read_table(const char *bytes, struct gs_csv_table *t, struct gs_err *err)
{
    char path[64];
    const int fd = memfd_create("table", MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(gs_sink_write(gs_sink_fd(&fd), bytes, strlen(bytes), NULL), GS_OK);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const enum gs_status s = gs_csv_read(path, &arena, t, err);
    (void)close(fd);
    return s;
}

static void whole_tables_have_cells_and_columns(void **state)
{
    (void)state;
    struct gs_csv_table t;
    struct gs_err err = {0};
    size_t column;
    double v;
    assert_int_equal(read_table("Name,name,x\n1,a,\" 2.5 \"\n2,b,[N/A]\n3,c,y\033\n", &t, &err),
                     GS_OK);
    assert_int_equal(t.n_rows, 3);
    assert_int_equal(t.n_columns, 3);
    assert_int_equal(gs_csv_column(&t, "name", &column, &err), GS_OK);
    assert_int_equal(column, 1);
    assert_int_equal(gs_csv_column(&t, "X", &column, &err), GS_OK);
    assert_int_equal(column, 2);
    assert_int_equal(gs_csv_real(&t, 0, 2, &v, &err), GS_OK);
    assert_true(v == 2.5);
    assert_int_equal(gs_csv_real(&t, 1, 2, &v, &err), GS_OK);
    assert_true(isnan(v));
    assert_int_equal(gs_csv_real(&t, 2, 2, &v, &err), GS_ERR_DATA);
    assert_non_null(strstr(err.text, ":4: x: 'y\\x1B' is not a number"));
    assert_int_equal(gs_csv_column(&t, "y", &column, &err), GS_ERR_DATA);
    assert_non_null(strstr(err.text, ":1: no column 'y'; found Name, name, x"));
    assert_int_equal(read_table("a,b\n1\n", &t, &err), GS_ERR_DATA);
    assert_non_null(strstr(err.text, ":2: 1 field, expected 2"));
    assert_int_equal(read_table("", &t, &err), GS_ERR_DATA);
    assert_non_null(strstr(err.text, "is empty, expected a header line"));
    assert_int_equal(gs_csv_read("/nonexistent/x.csv", &arena, &t, &err), GS_ERR_NOINPUT);
    assert_int_equal(gs_csv_read("/", &arena, &t, &err), GS_ERR_NOINPUT);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_cases_of_csv_spectrum_read_right, forget),
        cmocka_unit_test_teardown(edges_of_the_format_read_right, forget),
        cmocka_unit_test_teardown(malformed_input_is_named_with_its_line, forget),
        cmocka_unit_test_teardown(a_row_is_kept_as_it_was, forget),
        cmocka_unit_test_teardown(a_field_may_have_one_mebibyte_and_not_a_byte_more, forget),
        cmocka_unit_test_teardown(blank_lines_are_counted_however_they_end, forget),
        cmocka_unit_test_teardown(a_field_of_a_hundred_megabytes_is_refused, forget),
        cmocka_unit_test_teardown(a_row_of_too_many_fields_is_refused, forget),
        cmocka_unit_test_teardown(random_tables_come_out_as_they_went_in, forget),
        cmocka_unit_test_teardown(whole_tables_have_cells_and_columns, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
