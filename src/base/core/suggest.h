/* suggest.h - "did you mean": the nearest of some words to a misspelt one. */
#pragma once

#include "base/core/text.h"

enum { GS_SUGGEST_MAX = 48 }; /* longest word compared, bytes */

/*
 * The number of insertions, deletions, substitutions and swaps of neighbours that make one word of the
 * other, letters equal but for ASCII case; GS_SUGGEST_MAX when either is longer than that.
 *
 * Cost:   O(a.len * b.len), allocates nothing
 * Source: F. J. Damerau, CACM 7(3), 1964 (restricted: no letter is edited twice)
 */
unsigned gs_edit_distance(struct gs_str a, struct gs_str b);

/* The best so far. Start from `{.word = misspelt}`; `best` stays NULL where nothing is near enough. */
struct gs_suggestion {
    struct gs_str word;
    const char *best;
    unsigned distance;
};

/* Offers a candidate: near is up to a third of the longer word's letters, or a word that begins or ends with it. */
void gs_suggestion_try(struct gs_suggestion *s, const char *candidate);
