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

/* What a plain file of text begins and ends with; of anything else both are empty. */
struct ends {
    char room[2][TAIL_BYTES];
    struct gs_str head, tail;
};

static void read_ends(const char *path, struct ends *e)
{
    struct stat is;
    e->head = (struct gs_str){e->room[0], 0};
    e->tail = (struct gs_str){e->room[1], 0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd >= 0 && fstat(fd, &is) == 0 && S_ISREG(is.st_mode)) {
        const off_t from = is.st_size > TAIL_BYTES ? is.st_size - TAIL_BYTES : 0;
        const ssize_t n = pread(fd, e->room[1], TAIL_BYTES, from);
        const ssize_t n_head = pread(fd, e->room[0], TAIL_BYTES, 0);
        e->tail.len = n > 0 ? (size_t)n : 0;
        e->head.len = n_head > 0 ? (size_t)n_head : 0;
    }
    if (fd >= 0)
        (void)close(fd);
    for (size_t i = 0; i < e->tail.len; i++)
        if ((unsigned char)e->tail.ptr[i] < ' ' && strchr("\t\r\n", e->tail.ptr[i]) == NULL)
            e->head.len = e->tail.len = 0;
}

/* A list of JSON without its last bracket: tracers may leave it out, and so does a download that broke off. */
static bool is_open_list(const struct ends *e)
{
    static const char blank[] = " \t\r\n";
    const struct gs_str head = gs_str_strip(e->head, blank), tail = gs_str_strip(e->tail, blank);
    return gs_str_begins(head, "[") && tail.len > 0 && tail.ptr[tail.len - 1] != ']' &&
           gs_str_begins(gs_str_strip(gs_str_after(head, 1), blank), "{");
}

/* Files that end alike: the first of them, with its last number, and how many they are. */
struct alike {
    const char *name;
    char shown[64];
    size_t n;
};

static void look_at(const struct ends *e, const struct gs_input *in, struct alike *open,
                    struct alike *cut)
{
    struct gs_str tail = e->tail;
    (void)gs_str_take(&tail, '\n'); /* the header, or what is left of a line */
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
    for (size_t i = 0; i < d->n_inputs; i++) {
        const struct gs_input *const in = &d->input[i];
        struct ends ends;
        if (in->left_out)
            continue;
        read_ends(in->path, &ends);
        if (is_open_list(&ends))
            gs_note(notes, GS_NOTE_WARNING,
                    "%s: its list has no closing bracket: it may be cut off", in->name);
        else if (!in->torn && in->n_skipped == 0)
            look_at(&ends, in, &open, &cut);
    }
    note(&cut, GS_NOTE_WARNING, ", shorter than those before: it may be cut, but it counts", notes);
    note(&open, GS_NOTE_INFO, "", notes);
}
