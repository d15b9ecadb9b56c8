/* series_equal.h - warns about GPUs with identical series: one of them may be a copy. */
#pragma once

#include "base/core/intern.h"
#include "base/core/notes.h"
#include "base/core/status.h"

/* Samples below which equal series say nothing. */
enum { GS_SERIES_MIN = 10 };

/* What the rows of a series come to: sums over them, which do not depend on their order. */
struct gs_series_print {
    uint64_t n, sum[2];
    uint64_t first; /* the readings of the first row, as one number */
    bool varies;    /* those of another are others                  */
};

/* Adds a row of readings. */
void gs_series_add(struct gs_series_print *p, int64_t t_ns, const int64_t *value, size_t n_values);

/* Notes the series of a source that are equal; their names are a host's and a GPU's text with a NUL between them. */
enum gs_status gs_series_note_equal(const struct gs_intern *name,
                                    const struct gs_series_print *print, struct gs_notes *notes,
                                    struct gs_err *err);

/* Says that `other` has the readings of `one`, where any has those of another: n_equal of them. */
void gs_note_equal(const char *one, const char *other, uint32_t n_equal, struct gs_notes *notes);

/* "GPU 0 of host n1" */
const char *gs_show_gpu(struct gs_str host, struct gs_str gpu, char *out, size_t size);
