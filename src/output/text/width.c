/* width.c - terminal columns of text. */
#include "output/text/width.h"

#include "output/text/width_table.h"
#include "base/num/order.h"

static bool in_ranges(const struct range *ranges, size_t n, uint32_t c)
{
    size_t low = 0;
    GS_BISECT(low, n, at, ranges[at].last < c);
    return low < n && ranges[low].first <= c;
}

int gs_code_width(unsigned code_point)
{
    if (code_point < 0x300)
        return 1;
    if (in_ranges(zero_width, sizeof zero_width / sizeof *zero_width, code_point))
        return 0;
    return in_ranges(wide, sizeof wide / sizeof *wide, code_point) ? 2 : 1;
}

/*
 * Bytes and columns of the character at the start of `text`. A malformed byte counts as one
 * column, as its replacement takes. The text always gets shorter, so loops over it end.
 */
static size_t next(struct gs_str text, int *width)
{
    unsigned c;
    const size_t n = gs_utf8_next(text, &c);
    *width = 1;
    if (n == 0)
        return 1;
    *width = gs_code_width(c);
    return n;
}

size_t gs_text_width(struct gs_str text)
{
    size_t width = 0;
    while (text.len > 0) {
        if ((unsigned char)text.ptr[0] < 0x80) {
            width++;
            text = gs_str_after(text, 1);
            continue;
        }
        int w;
        text = gs_str_after(text, next(text, &w));
        width += (size_t)w;
    }
    return width;
}

/*
 * Cuts between characters, never within one. The result may be a column narrower than asked for
 * where a wide character does not fit.
 */
struct gs_str gs_text_start(struct gs_str text, size_t columns)
{
    struct gs_str rest = text;
    size_t used = 0;
    while (rest.len > 0) {
        int w;
        const size_t n = next(rest, &w);
        if (used + (size_t)w > columns)
            break;
        used += (size_t)w;
        rest = gs_str_after(rest, n);
    }
    return (struct gs_str){text.ptr, text.len - rest.len};
}

struct gs_str gs_text_end(struct gs_str text, size_t columns)
{
    size_t width = gs_text_width(text);
    int w = 0;
    /* Once enough is gone, the marks that belonged to the last character dropped go with it. */
    while (text.len > 0) {
        const size_t n = next(text, &w);
        if (width <= columns && w > 0)
            break;
        width -= (size_t)w;
        text = gs_str_after(text, n);
    }
    return text;
}
