/* number_text.h - formats numbers for titles and notes. */
#pragma once

#include <stdint.h>

#include "base/core/text.h"

/* A number with that many decimals (0 to 6) and thousands separated by commas; NaN is "-". Not by locale. */
void gs_words_real(struct gs_buf *b, double value, int decimals);
void gs_words_count(struct gs_buf *b, uint64_t n);

/* "1,024 GPUs", "1 GPU": with an s unless there is one. */
void gs_words_counted(struct gs_buf *b, uint64_t n, const char *noun);

/* An energy in the unit that suits it: "73.5 kWh". */
void gs_words_energy(struct gs_buf *b, double joules);

/* A length of time in the unit that suits it: "2.0 ms", "42.6 s", "46.9 min", "3.2 h". */
void gs_words_time(struct gs_buf *b, double seconds);

/*
 * The same for the template of a sentence, gs_buf_format(b, "%s of %s are idle.", ...): text in b's arena, "" where memory
 * ran out, which b->failed says.
 */
const char *gs_real_text(struct gs_buf *b, double value, int decimals);
const char *gs_count_text(struct gs_buf *b, uint64_t n);
const char *gs_counted_text(struct gs_buf *b, uint64_t n, const char *noun);
const char *gs_energy_text(struct gs_buf *b, double joules);
const char *gs_time_text(struct gs_buf *b, double seconds);

/* What was written for a template, as those above hand it out; `text` is in the arena of `to`. */
const char *gs_buf_piece(struct gs_buf *to, const struct gs_buf *text);
