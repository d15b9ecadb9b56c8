/* names_numbered.c - events that each have a name of their own: render_frame_0001, render_frame_0002. */
#include <string.h>

#include "base/num/order.h"
#include "input/detect/names_parts.h"
#include "base/core/pattern.h"

enum {
    FEWEST = 10, /* names that differ in their numbers alone: fewer may be versions or sizes */
    MOST_FORMS = 8
};

/* Which numbers of a name tell it from the others. */
enum apart { STANDING_ALONE, LAST, LAST_BUT_ONE, LAST_BUT_TWO, EVERY, N_APART };

struct name {
    struct gs_str form, kept; /* the pattern that it fits, and what that keeps of it */
};

GS_COMPARES(by_kept, struct name, GS_BY_TEXT(kept) GS_BY_TEXT(form));

static const char between[] = "_-.,:;#=/\\|()[]{}<> \t\"'";

static bool is_apart(struct gs_str text, size_t from, size_t to, size_t n_behind, enum apart rule)
{
    switch (rule) {
    case STANDING_ALONE:
        return (from == 0 || strchr(between, text.ptr[from - 1]) != NULL) &&
               (to == text.len || strchr(between, text.ptr[to]) != NULL);
    case EVERY:
        return true;
    default:
        return n_behind == (size_t)(rule - LAST);
    }
}

static size_t count_numbers(struct gs_str text)
{
    size_t n = 0;
    for (size_t at = gs_str_until(text, 0, GS_ALL_DIGITS); at < text.len; n++)
        at = gs_str_until(text, gs_str_skip(text, at, GS_ALL_DIGITS), GS_ALL_DIGITS);
    return n;
}

/* Where the program stands in a command, behind what is set for it: CUDA_VISIBLE_DEVICES=2 python infer.py. */
static size_t program_at(struct gs_str text)
{
    size_t at = 0;
    for (;;) {
        const size_t name = gs_str_skip(text, at, GS_ALL_LETTERS GS_ALL_DIGITS "_");
        const bool sum = gs_str_begins(gs_str_after(text, name), "=$((");
        const size_t end = sum ? name + gs_str_find(gs_str_after(text, name), "))") : name,
                     blank = gs_str_until(text, gs_min(end, text.len), " ");
        if (name == at || name == text.len || text.ptr[name] != '=' || blank == text.len)
            return at;
        at = blank + 1;
    }
}

/* Adds what stands between two numbers, which is what is kept where nothing before it is. */
static void put_words(struct gs_buf *b, struct gs_str words, struct gs_str *kept)
{
    struct gs_str word = gs_str_strip(words, between);
    const size_t open = gs_str_until(word, 0, "([{"); /* "BASECALL (s12)" is a BASECALL */
    if (open < word.len && gs_str_until(word, open, ")]}") == word.len)
        word = gs_str_strip(gs_str_part(word, 0, open), between);
    if (kept->len > 0 || word.len == 0) {
        gs_pattern_put(b, words);
        return;
    }
    *kept = word;
    gs_pattern_put(b, (struct gs_str){words.ptr, (size_t)(word.ptr - words.ptr)});
    gs_buf_text(b, "{}");
    gs_pattern_put(b, gs_str_after(words, (size_t)(word.ptr - words.ptr) + word.len));
}

/* What the names of a column have in common: so many bytes of all begin them, and end them. */
struct common {
    size_t head, tail;
};

static struct common common_of(const struct gs_str *text, size_t n)
{
    struct common c = {text[0].len, text[0].len};
    for (size_t i = 1; i < n; i++)
        gs_infer_share(text[0], text[i], &c.head, &c.tail);
    return c;
}

/* Makes the form of a name: false where it has no such number that not all names have, or nothing else. */
static bool find_form(struct gs_str text, enum apart rule, struct common all,
                      struct gs_arena *arena, struct name *to)
{
    struct gs_buf b = {.arena = arena};
    const size_t program = program_at(text);
    size_t from = 0, n_behind = count_numbers(text), n_apart = 0;
    *to = (struct name){0};
    for (size_t at = 0; n_behind > 0;) {
        at = gs_str_until(text, at, GS_ALL_DIGITS);
        const size_t end = gs_str_skip(text, at, GS_ALL_DIGITS);
        n_behind--;
        const bool shared = end <= all.head || at >= text.len - all.tail;
        if (at < program || (!shared && is_apart(text, at, end, n_behind, rule))) {
            const size_t words = gs_max(from, gs_min(program, at));
            gs_pattern_put(&b, gs_str_part(text, from, words));
            put_words(&b, gs_str_part(text, words, at), &to->kept);
            gs_buf_text(&b, "{number}");
            n_apart += at >= program;
            from = end;
        }
        at = end;
    }
    put_words(&b, gs_str_after(text, from), &to->kept);
    to->form = gs_buf_str(&b);
    return n_apart > 0 && to->kept.len > 0 && !b.failed;
}

/*
 * The forms of the names that differ from FEWEST others by these numbers alone, longest first, as one pattern; empty where
 * they are not nine in ten.
 */
static struct gs_str forms_of(const struct gs_str *text, size_t n, enum apart rule,
                              struct gs_arena *arena)
{
    struct gs_buf all = {.arena = arena};
    struct gs_texts forms = {0};
    struct name *const name = gs_arena_take(arena, n, sizeof *name);
    const struct common all_have = common_of(text, n);
    size_t n_named = 0, n_alike = 0;
    for (size_t i = 0; name != NULL && i < n; i++)
        n_named += find_form(text[i], rule, all_have, arena, &name[n_named]);
    GS_SORT(name, n_named, by_kept);
    for (size_t i = 0, end; i < n_named; i = end) {
        for (end = i + 1; end < n_named && by_kept(&name[i], &name[end]) == 0;)
            end++;
        if (end - i < FEWEST)
            continue;
        n_alike += end - i;
        if (!gs_texts_contain(&forms, name[i].form))
            (void)gs_texts_add(&forms, name[i].form, arena);
    }
    if (10 * n_alike < 9 * n || forms.n > MOST_FORMS)
        return gs_str("");
    for (size_t k = 0; k < forms.n; k++)
        for (size_t i = k; i > 0 && forms.item[i].len > forms.item[i - 1].len; i--) {
            const struct gs_str shorter = forms.item[i - 1];
            forms.item[i - 1] = forms.item[i];
            forms.item[i] = shorter;
        }
    for (size_t k = 0; k < forms.n; k++) {
        gs_buf_add(&all, forms.item[k]);
        gs_buf_char(&all, '|');
    }
    gs_buf_text(&all, "{}"); /* what is named otherwise is itself */
    return forms.n == 0 ? gs_str("") : gs_buf_str(&all);
}

struct row {
    struct gs_str name, host, gpu, mark;
};

GS_COMPARES(by_name, struct row,
            GS_BY_TEXT(name) GS_BY_TEXT(host) GS_BY_TEXT(gpu) GS_BY_TEXT(mark));

/* The event of a cell, and whether it starts or stops there: a column of its own says so, or the event's (tile_7_start). */
static struct row row_of(const struct gs_preview *h, const struct gs_source *s, size_t i,
                         uint32_t column)
{
    const struct gs_map_phase *const p = &s->phase;
    struct row row = {gs_preview_cell(h, i, column),
                      gs_preview_cell(h, i, gs_preview_plain_column(h, &s->host)),
                      gs_preview_cell(h, i, gs_preview_plain_column(h, &s->gpu)), GS_NO_STR};
    struct gs_kept kept;
    if (p->column.ptr != NULL)
        row.mark = gs_preview_cell(h, i, gs_preview_find(h, p->column.ptr));
    else if (gs_pattern_match(p->start, row.name, &kept) ||
             gs_pattern_match(p->stop, row.name, &kept)) {
        row.mark = row.name;
        row.name = kept.part;
    }
    return row;
}

/* The different names of a column; 0 where they come again: nine in ten are started and stopped once on a GPU. */
static size_t find_names(const struct gs_preview *h, const struct gs_source *s, uint32_t column,
                         struct gs_str *name, struct gs_arena *arena)
{
    struct row *const row = gs_arena_take(arena, h->n_rows, sizeof *row);
    size_t n = 0, n_once = 0, n_names = 0;
    for (size_t i = 0; row != NULL && i < h->n_rows; i++)
        if (gs_preview_cell(h, i, column).len > 0)
            row[n++] = row_of(h, s, i, column);
    GS_SORT(row, n, by_name);
    for (size_t i = 0; i < n; i++) {
        n_once += i == 0 || by_name(&row[i - 1], &row[i]) != 0;
        if (i == 0 || !gs_str_eq(row[i - 1].name, row[i].name))
            name[n_names++] = row[i].name;
    }
    return 10 * n_once < 9 * n ? 0 : n_names;
}

/* Does a column list what there is to do, by its name? */
static bool lists_tasks(const struct inference *g, uint32_t column)
{
    return GS_IS_ONE_OF(gs_str(g->name[column].whole), "task", "taskname", "trial", "trialname",
                        "command", "file", "filename", "input", "sample", "frame", "key");
}

/* The pattern of a mark with each of these forms in place of its {}. */
static struct gs_str marks_of(struct gs_str mark, struct gs_str forms, struct gs_arena *arena)
{
    const size_t at = gs_str_find(mark, "{}");
    struct gs_buf b = {.arena = arena};
    while (forms.len > 0) {
        const struct gs_str form = gs_pattern_take(&forms);
        gs_buf_text_if(&b, b.len > 0, "|");
        gs_buf_add(&b, gs_str_part(mark, 0, at));
        gs_buf_add(&b, form);
        gs_buf_add(&b, gs_str_after(mark, at + 2));
    }
    return gs_buf_str(&b);
}

/* Takes what the forms keep for the event, the whole name for its task; how to keep the names apart. */
static const char *take_forms(const struct inference *g, struct gs_source *s, struct gs_str forms)
{
    struct gs_map_phase *const p = &s->phase;
    const bool alone = p->kind != GS_PHASE_PAIRS || p->column.ptr != NULL;
    if (s->task.kind == GS_VALUE_NONE) {
        s->task = s->event;
        if (!alone)
            s->task.like = gs_str_joined(g->arena, p->start, "|", p->stop);
    }
    if (alone) {
        (void)gs_str_copy(g->arena, forms, &s->event.like);
        return "--set events.event.like=";
    }
    const char *const undo =
        gs_format(g->arena, "--set 'events.phase.start=%s' --set 'events.phase.stop=%s'",
                  GS_SHOWN(p->start, 64), GS_SHOWN(p->stop, 64));
    p->start = marks_of(p->start, forms, g->arena);
    p->stop = marks_of(p->stop, forms, g->arena);
    return gs_or_empty(undo);
}

void gs_infer_numbered(const struct inference *g, struct gs_source *s)
{
    enum { MANY = 30 };
    GS_OWN struct gs_arena own = {0};
    const uint32_t column = gs_preview_plain_column(g->h, &s->event);
    struct gs_str *const name = gs_arena_take(&own, g->h->n_rows, sizeof *name);
    if (column == UINT32_MAX || name == NULL || gs_infer_find(&s->attributes, "user") != NULL)
        return;
    const size_t n = find_names(g->h, s, column, name, &own);
    bool numbers = true;
    for (size_t i = 0; i < n; i++)
        numbers &= gs_str_skip(name[i], 0, GS_ALL_DIGITS) == name[i].len;
    if (s->job.kind != GS_VALUE_NONE && !numbers) /* they may be the jobs' */
        return;
    const char *const shown = GS_SHOWN(g->h->column[column], 64);
    struct gs_str forms = gs_str("");
    for (enum apart rule = STANDING_ALONE; n >= FEWEST && forms.len == 0 && rule < N_APART; rule++)
        forms = forms_of(name, n, rule, &own);
    if (forms.len > 0) {
        gs_infer_note(g, &s->notes,
                      "names in column '%s' that differ in numbers alone are one event (%s keeps "
                      "them apart)",
                      shown, take_forms(g, s, forms));
    } else if (n >= MANY && lists_tasks(g, column) && s->phase.kind == GS_PHASE_NONE) {
        if (s->task.kind == GS_VALUE_NONE)
            s->task = s->event;
        s->event = (struct gs_map_value){.kind = GS_VALUE_TEXT, .text = g->h->column[column]};
        gs_infer_note(g, &s->notes,
                      "each name in column '%s' is of one task (--set 'events.event=%s' makes it "
                      "an event)",
                      shown, shown);
    }
}
