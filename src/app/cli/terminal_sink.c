/* terminal_sink.c - the bytes come in pieces that may cut a character in two. */
#include "app/cli/terminal_sink.h"

#include <string.h>

/*
 * How many bytes at the end of `text` begin a character that is longer. At most three bytes,
 * the length of the longest character less one. More continuation bytes are malformed text and
 * are escaped, not held back.
 */
static size_t unfinished(struct gs_str text)
{
    for (size_t n = 1; n <= 3 && n <= text.len; n++) {
        const unsigned char c = (unsigned char)text.ptr[text.len - n];
        if (c >= 0xc0)
            return 2u + (c >= 0xe0) + (c >= 0xf0) > n ? n : 0;
        if (c < 0x80)
            return 0;
    }
    return 0;
}

static enum gs_status hand_on(struct gs_terminal_sink *t, const char *bytes, size_t len,
                              bool at_end, struct gs_err *err)
{
    GS_OWN struct gs_arena arena = {0};
    struct gs_buf all = {.arena = &arena}, shown = {.arena = &arena};
    gs_buf_bytes(&all, t->cut, t->n_cut);
    gs_buf_bytes(&all, bytes, len);
    struct gs_str text = gs_buf_str(&all);
    t->n_cut = 0;
    if (!at_end)
        t->n_cut = unfinished(text);
    text.len -= t->n_cut;
    if (t->n_cut > 0)
        memcpy(t->cut, text.ptr + text.len, t->n_cut);
    gs_buf_terminal(&shown, text);
    GS_TRY(gs_had_memory(!all.failed && !shown.failed, err));
    return gs_sink_write(t->to, shown.ptr, shown.len, err);
}

static enum gs_status write_safely(void *context, const char *bytes, size_t len, struct gs_err *err)
{
    return hand_on(context, bytes, len, false, err);
}

struct gs_sink gs_terminal_sink(struct gs_terminal_sink *t)
{
    return (struct gs_sink){write_safely, t};
}

enum gs_status gs_terminal_sink_end(struct gs_terminal_sink *t, struct gs_err *err)
{
    if (t->n_cut == 0)
        return GS_OK;
    return hand_on(t, "", 0, true, err);
}
