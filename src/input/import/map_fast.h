/* map_fast.h - the sources of a map that the scanner reads: plain columns of a plain table. */
#pragma once

#include "base/num/timestamp.h"
#include "input/import/bind.h"
#include "input/import/map_agree.h"

/*
 * Can the scanner read the source as its map says? A table of samples with a header, whose values are plain columns, whose
 * times are instants of `zone` or name their own, and whose files can be read again: what the scanner
 * refuses, or finds outside of 2000 to 2100, is for the mapper to say.
 */
bool gs_map_is_fast(const struct gs_source *s, const struct gs_zone *zone);

/* gs_input_form.bind: `context` points to the struct gs_mapped_source *. Errors: GS_ERR_DATA for a column that is not there. */
enum gs_status gs_map_bind(const void *context, const struct gs_input *input,
                           const struct gs_str *field, size_t n_fields, struct gs_arena *arena,
                           struct gs_binding *binding, struct gs_err *err);

/*
 * What the files of the one source of samples came to, from the dataset, whose inputs from `first` on they are; false
 * where the mapper has to read them: an instant lies outside of 2000 to 2100, a GPU or host is a sum over others or no
 * name at all. Files whose hosts are constants of their own are told apart by these.
 */
bool gs_map_fast_found(const struct gs_dataset *d, size_t first, const struct gs_str *host,
                       struct gs_mapped_source *m);
