/* study_fixture.h - for the tests of the other studies: a table in a file, cells of frames. */
#ifndef GPUSTAT_STUDY_FIXTURE_H
#define GPUSTAT_STUDY_FIXTURE_H

#include "fixture.h"

#include <unistd.h>

#include "data/result/frame.h"

/* One run: an arena, notes, a failure, and the file that it reads. */
struct fixture {
    struct gs_arena arena;
    struct gs_frames out;
    struct gs_err err;
    char path[64];
};

static inline struct fixture *fixture_open(const char *text)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->out.notes.arena = &f->arena;
    (void)snprintf(f->path, sizeof f->path, "/tmp/gpustat-test-XXXXXX");
    const int fd = mkstemp(f->path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    assert_int_equal(close(fd), 0);
    return f;
}

static inline void fixture_close(struct fixture *f)
{
    (void)unlink(f->path);
    gs_arena_release(&f->arena);
    free(f);
}

/* The error without the file's name before it. */
static inline const char *fixture_error(const struct fixture *f)
{
    const size_t n = strlen(f->path);
    return strncmp(f->err.text, f->path, n) == 0 ? f->err.text + n : f->err.text;
}

/* A table and what is said of it behind the file's name. */
struct refusal {
    const char *text, *error;
};

static inline void assert_refused(enum gs_status (*read)(struct fixture *f),
                                  const struct refusal *table, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct fixture *const f = fixture_open(table[i].text);
        assert_int_equal(read(f), GS_ERR_DATA);
        assert_string_equal(fixture_error(f), table[i].error);
        fixture_close(f);
    }
}

static inline int column_of(const struct gs_frame *f, const char *name)
{
    const int c = gs_frame_find(f, name);
    if (c < 0)
        fail_msg("no column %s", name);
    return c;
}

static inline double real_at(const struct gs_frame *f, size_t row, const char *name)
{
    const int c = column_of(f, name);
    assert_true(row < f->n_rows && f->columns[c].spec->type == GS_TYPE_REAL);
    return f->columns[c].real[row];
}

static inline int64_t int_at(const struct gs_frame *f, size_t row, const char *name)
{
    const int c = column_of(f, name);
    assert_true(row < f->n_rows && f->columns[c].spec->type == GS_TYPE_INT);
    return f->columns[c].integer[row];
}

static inline void assert_text_at(const struct gs_frame *f, size_t row, const char *name,
                                  const char *wanted)
{
    const int c = column_of(f, name);
    assert_true(row < f->n_rows && f->columns[c].spec->type == GS_TYPE_TEXT);
    const struct gs_str text = f->columns[c].text[row];
    if (!gs_str_eq(text, gs_str(wanted)))
        fail_msg("%s[%zu] is '%.*s', expected '%s'", name, row, (int)text.len, text.ptr, wanted);
}

/* Within 1e-12 of what is wanted; NAN wants a missing value. */
static inline void assert_real_at(const struct gs_frame *f, size_t row, const char *name,
                                  double wanted)
{
    const double got = real_at(f, row, name);
    if (isnan(wanted) ? !isnan(got) : !(fabs(got - wanted) <= 1e-12 * fmax(fabs(wanted), 1e-3)))
        fail_msg("%s[%zu] is %.17g, expected %.17g", name, row, got, wanted);
}

static inline int has_note(const struct fixture *f, const char *part)
{
    for (const struct gs_note *n = f->out.notes.first; n != NULL; n = n->next)
        if (strstr(n->text, part) != NULL)
            return 1;
    return 0;
}

#endif
