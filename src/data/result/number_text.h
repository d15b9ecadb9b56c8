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
