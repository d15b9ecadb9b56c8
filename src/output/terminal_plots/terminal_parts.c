/* terminal_parts.c - what every panel in characters is made of: colours, names, axes, keys. */
#include "output/terminal_plots/terminal_parts.h"

#include <math.h>
#include <string.h>

#include "output/text/width.h"
#include "base/num/order.h"
#include "base/num/whole.h"

/* Okabe and Ito's palette in the terminal's 256 colours, in the order of the pictures. */
static const int colours[GS_TERMINAL_COLOURS] = {32, 214, 36, 175, 166, 74, 142, 244};
static const char letters[GS_TERMINAL_COLOURS + 1] = "*o+x#%@=";

void gs_page_paint(const struct gs_page *p, size_t group)
{
    if (p->to->colour)
        gs_buf_format(p->b, "\033[38;5;%dm", colours[group % GS_TERMINAL_COLOURS]);
}

void gs_page_plain(const struct gs_page *p)
{
    if (p->to->colour)
        gs_buf_text(p->b, "\033[0m");
}

char gs_page_letter(size_t group)
{
    return letters[group % GS_TERMINAL_COLOURS];
}

void gs_page_blanks(const struct gs_page *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        gs_buf_char(p->b, ' ');
}

void gs_page_name(const struct gs_page *p, struct gs_str name, size_t columns, bool right)
{
    GS_OWN struct gs_arena arena = {0};
    struct gs_buf safe = {.arena = &arena};
    gs_buf_escaped(&safe, name, 0);
    const struct gs_str text = gs_buf_str(&safe);
    const size_t width = gs_text_width(text);
    if (width <= columns) {
        if (right)
            gs_page_blanks(p, columns - width);
        gs_buf_bytes(p->b, text.ptr, text.len);
        if (!right)
            gs_page_blanks(p, columns - width);
    } else {
        const size_t end = gs_excess(columns, 2) / 2;
        const struct gs_str head = gs_text_start(text, columns - 1 - end),
                            tail = gs_text_end(text, end);
        const size_t used = gs_text_width(head) + 1 + gs_text_width(tail);
        gs_buf_bytes(p->b, head.ptr, head.len);
        gs_buf_text(p->b, p->sign->cut);
        gs_buf_bytes(p->b, tail.ptr, tail.len);
        gs_page_blanks(p, gs_excess(columns, used));
    }
    p->b->failed |= safe.failed;
}

size_t gs_page_width(struct gs_str name)
{
    GS_OWN struct gs_arena arena = {0};
    struct gs_buf safe = {.arena = &arena};
    gs_buf_escaped(&safe, name, 0);
    return gs_text_width(gs_buf_str(&safe));
}

/* Numbers under their places, centred where there is room. */
static void append_tic_line(const struct gs_page *p, const struct gs_tics *tics,
                            const struct gs_axis *a, size_t left, size_t width)
{
    size_t at = 0;
    for (int i = 0; i < tics->n; i++) {
        const size_t len = strlen(tics->label[i]);
        const double centre = (double)left + gs_axis_share(a, tics->at[i]) * (double)(width - 1);
        const double begin = round(centre - (double)len / 2 + 0.5);
        size_t to = (size_t)fmax(begin, (double)(at + (at > 0)));
        if (p->columns >= len)
            to = gs_min(to, p->columns - len);
        if (to < at)
            continue;
        gs_page_blanks(p, to - at);
        gs_buf_text(p->b, tics->label[i]);
        at = to + len;
    }
    gs_buf_char(p->b, '\n');
}

void gs_page_axis(const struct gs_page *p, const struct gs_axis *a, size_t left, size_t width,
                  const char *label, int column)
{
    const struct gs_tics tics = gs_tics_apart(a, gs_max(2, (int)(width / 9)), (double)width, 1);
    gs_page_blanks(p, left);
    for (size_t i = 0; i < width; i++) {
        bool tic = false;
        for (int k = 0; k < tics.n; k++)
            tic |= (size_t)lround(gs_axis_share(a, tics.at[k]) * (double)(width - 1)) == i;
        gs_buf_text(p->b, tic ? p->sign->horizontal_tic : p->sign->horizontal);
    }
    gs_buf_char(p->b, '\n');
    append_tic_line(p, &tics, a, left, width);
    GS_OWN struct gs_arena arena = {0};
    struct gs_buf text = {.arena = &arena};
    gs_drawn_axis_label(p->d, &text, label, column, a);
    const size_t len = gs_page_width(gs_buf_str(&text));
    if (len > 0) {
        gs_page_blanks(p, left + gs_excess(width, len) / 2);
        gs_page_name(p, gs_buf_str(&text), gs_min(len, p->columns - left), false);
        gs_buf_char(p->b, '\n');
    }
    p->b->failed |= text.failed;
}

void gs_page_key(const struct gs_page *p, const struct gs_names *names)
{
    enum { KEYED = 16 };
    const struct gs_drawn *const d = p->d;
    const bool of_groups = names == &d->groups;
    GS_OWN struct gs_arena arena = {0};
    size_t at = 0;
    if (names->n < 2 || names->n > KEYED)
        return;
    for (size_t i = 0; i < names->n; i++) {
        struct gs_buf name = {.arena = &arena};
        if (of_groups && !gs_drawn_has_group(d, i))
            continue;
        gs_drawn_name(d, of_groups ? d->group : d->value, names->name[i], &name);
        p->b->failed |= name.failed;
        const size_t width = gs_page_width(gs_buf_str(&name)), shown = gs_min(40, width);
        if (at > 0 && at + shown + 4 > p->columns) {
            gs_buf_char(p->b, '\n');
            at = 0;
        }
        gs_buf_text_if(p->b, at > 0, "  ");
        gs_page_paint(p, i);
        if (p->to->colour && p->to->unicode)
            gs_buf_text(p->b, "\xE2\x96\xA0");
        else
            gs_buf_char(p->b, gs_page_letter(i));
        gs_page_plain(p);
        gs_buf_char(p->b, ' ');
        gs_page_name(p, gs_buf_str(&name), shown, false);
        at += shown + 4;
    }
    gs_buf_char(p->b, '\n');
}

void gs_page_margin(const struct gs_page *p, const struct gs_tics *tics, const struct gs_axis *a,
                    size_t line, size_t height)
{
    struct gs_str label = {"", 0};
    for (int i = 0; i < tics->n; i++)
        if ((size_t)lround((1 - gs_axis_share(a, tics->at[i])) * (double)(height - 1)) == line)
            label = gs_str(tics->label[i]);
    gs_page_name(p, label, GS_PAGE_MARGIN - 1, true);
    gs_buf_text(p->b, label.len > 0 ? p->sign->vertical_tic : p->sign->vertical);
}
