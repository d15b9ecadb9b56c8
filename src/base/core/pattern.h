/* pattern.h - patterns of texts: `*` any text, `{}` the part that is kept, `{number}` digits, `|` or. */
#pragma once

#include <stdbool.h>

#include "base/core/text.h"

/* What a match kept; ptr == NULL where the pattern has no such part. */
struct gs_kept {
    struct gs_str part, gpu, host; /* {}, {gpu}, {host} */
};

/* Puts the pattern that a text fits and nothing else does. */
void gs_pattern_put(struct gs_buf *b, struct gs_str text);

/* Does it fit its own text and nothing else? */
bool gs_pattern_is_literal(struct gs_str pattern);

/*
 * Is this a pattern? `*` is any text, also none; `{number}` all the digits that stand there; `{}`, `{gpu}` and `{host}` are
 * parts that are kept, the shortest that fit and never empty, each at most once; a backslash takes the meaning of what follows.
 * Of several with `|` between them the first that fits counts.
 */
bool gs_pattern_valid(struct gs_str pattern);

/* Takes the first of several patterns off them. */
struct gs_str gs_pattern_take(struct gs_str *rest);

/*
 * Matches a whole text; `kept` (NULL allowed) points into it. Cost: at most O(text * pattern).
 */
bool gs_pattern_match(struct gs_str pattern, struct gs_str text, struct gs_kept *kept);

/*
 * Matches the last components of a path, as many as the pattern has, without an ending .gz, .xz or .zst;
 * nothing crosses a slash.
 */
bool gs_pattern_match_path(struct gs_str pattern, struct gs_str path, struct gs_kept *kept);
