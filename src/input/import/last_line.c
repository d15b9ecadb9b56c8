/* last_line.c - the last bytes of a file, whose lines are compared by what they end with. */
#include "input/import/last_line.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/text.h"

enum { TAIL_BYTES = 4096, LINES_MIN = 8 };

/* The last cell of a line: its digits in front, those at its end, and what is between them. */
struct ending {
    struct gs_str cell, between;
    size_t n_before, n_behind;
};

static struct ending ending_of(struct gs_str line)
{
    struct ending e;
    line = gs_str_strip(line, " \t\r");
    e.cell = gs_str_after(line, gs_str_until_back(line, line.len, ",;\t| =+-"));
    e.n_before = gs_str_skip(e.cell, 0, GS_ALL_DIGITS);
    e.between = gs_str_after(e.cell, e.n_before);
    e.n_behind = e.between.len - gs_str_skip_back(e.between, e.between.len, GS_ALL_DIGITS);
    e.between.len -= e.n_behind;
    return e;
}

static bool is_number(const struct ending *e)
{
    return e->n_before > 0 && (e->between.len == 0 || gs_str_eq(e->between, gs_str(".")));
}

/* Has a number fewer decimals, or without any fewer digits? */
static bool is_less(const struct ending *last, const struct ending *before)
{
    if (last->between.len < before->between.len)
        return true;
    return before->between.len > 0 ? last->n_behind < before->n_behind
                                   : last->n_before < before->n_before;
}

/* The end of a file of text without a last line end; whole lines only, unless the file is shorter. Empty otherwise. */
static struct gs_str read_tail(const char *path, char room[TAIL_BYTES])
{
    struct stat is;
    struct gs_str tail = {room, 0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd >= 0 && fstat(fd, &is) == 0 && S_ISREG(is.st_mode)) {
        const off_t from = is.st_size > TAIL_BYTES ? is.st_size - TAIL_BYTES : 0;
        const ssize_t n = pread(fd, room, TAIL_BYTES, from);
        tail.len = n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0)
        (void)close(fd);
    for (size_t i = 0; i < tail.len; i++)
        if ((unsigned char)tail.ptr[i] < ' ' && strchr("\t\r\n", tail.ptr[i]) == NULL)
            tail.len = 0;
    (void)gs_str_take(&tail, '\n'); /* the header, or what is left of a line */
    return tail;
}

/* Files that end alike: the first of them, with its last number, and how many they are. */
struct alike {
    const char *name;
    char shown[64];
    size_t n;
};

static void look_at(const struct gs_input *in, struct alike *open, struct alike *cut)
{
    char room[TAIL_BYTES];
    struct gs_str tail = read_tail(in->path, room);
    const size_t at = gs_str_until_back(tail, tail.len, "\n");
    const struct ending last = ending_of(gs_str_after(tail, at));
    size_t n = 0, n_less = 0;
    if (!is_number(&last))
        return;
    for (tail.len = at; tail.len > 0; n++) {
        const struct ending one = ending_of(gs_str_take(&tail, '\n'));
        n_less += is_number(&one) && is_less(&last, &one);
    }
    struct alike *const of = n >= LINES_MIN && n_less == n ? cut : open;
    if (of->n++ > 0)
        return;
    of->name = in->name;
    gs_escape(of->shown, sizeof of->shown, last.cell);
}

static void note(const struct alike *a, enum gs_note_kind kind, const char *text,
                 struct gs_notes *notes)
{
    char more[48] = "";
    if (a->n > 1)
        (void)snprintf(more, sizeof more, "; so do %zu more files", a->n - 1);
    if (a->n > 0)
        gs_note(notes, kind, "%s: the last line has no line end and ends in '%s'%s%s", a->name,
                a->shown, text, more);
}

void gs_note_last_lines(const struct gs_dataset *d, struct gs_notes *notes)
{
    struct alike open = {0}, cut = {0};
    for (size_t i = 0; i < d->n_inputs; i++)
        if (!d->input[i].left_out && !d->input[i].torn && d->input[i].n_skipped == 0)
            look_at(&d->input[i], &open, &cut);
    note(&cut, GS_NOTE_WARNING, ", shorter than those before: it may be cut, but it counts", notes);
    note(&open, GS_NOTE_INFO, "", notes);
}
