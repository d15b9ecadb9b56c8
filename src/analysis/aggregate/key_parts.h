/* key_parts.h - keys that users name with --by, as one text whose order is theirs. */
#pragma once

#include "data/tables/dataset.h"

enum { GS_BY_MAX = 8 };

/*
 * Takes "KEY[,KEY]" apart. Errors: GS_ERR_USAGE for an empty key, one that stands twice, more than GS_BY_MAX.
 */
enum gs_status gs_keys_parse(const char *by, struct gs_str key[GS_BY_MAX], size_t *n,
                             struct gs_err *err);

/*
 * Is it an attribute of some event or task? Errors: GS_ERR_DATA with what there is: `expected`, what a key may be beside, a
 * list with commas, and the attributes.
 */
enum gs_status gs_keys_check_attribute(const struct gs_dataset *d, const char *option,
                                       struct gs_str key, const char *expected, struct gs_err *err);

/* Appends a part: a text, or a number as text whose order is the number's; nothing for a missing one. */
void gs_key_put(struct gs_buf *b, struct gs_str text);
void gs_key_put_number(struct gs_buf *b, int64_t v);

/* The k-th part, as text or number; missing where it is. */
struct gs_str gs_key_part(struct gs_str key, size_t k);
int64_t gs_key_number(struct gs_str part);
