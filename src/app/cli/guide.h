/* guide.h - pages that explain: src/app/cli/guides/NAME.md, compiled in, as help and as manual page. */
#pragma once

#include "base/core/text.h"

struct gs_guide {
    const char *name;
    const char *const *lines; /* of Markdown, ends in NULL; the first is "# name: what it is" */
};

/* Written by scripts/embed-texts.sh; ends in {0}. */
extern const struct gs_guide gs_guides[];

const struct gs_guide *gs_guide_find(const char *name);

/* Plain text, paragraphs wrapped at `width` columns. */
void gs_guide_text(struct gs_buf *b, const struct gs_guide *g, unsigned width);

/* roff source of PROGRAM-NAME(7). */
void gs_guide_man(struct gs_buf *b, const struct gs_guide *g, const char *program);
