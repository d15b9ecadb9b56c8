/* notes.c - a list of diagnostics. */
#include "base/core/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * A note that is there already is dropped, so a condition found in every file is printed once.
 * If memory runs out the note is lost and the analysis goes on: a warning must not fail a run.
 */
void gs_note(struct gs_notes *notes, enum gs_note_kind kind, const char *format, ...)
{
    char text[1024];
    if (notes == NULL || notes->arena == NULL)
        return;
    va_list ap;
    va_start(ap, format);
    const int n = vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    if (n < 0)
        return;
    for (const struct gs_note *k = notes->first; k != NULL; k = k->next)
        if (strcmp(k->text, text) == 0)
            return;
    struct gs_note *const note = gs_arena_take(notes->arena, 1, sizeof *note);
    char *const copy = gs_arena_copy(notes->arena, text, strlen(text));
    if (note == NULL || copy == NULL)
        return;
    note->kind = kind;
    note->text = copy;
    if (notes->last == NULL)
        notes->first = note;
    else
        notes->last->next = note;
    notes->last = note;
}

bool gs_note_is_warning(const struct gs_note *note)
{
    return note->kind == GS_NOTE_WARNING || note->kind == GS_NOTE_FINDING;
}

void gs_notes_add(struct gs_notes *notes, const struct gs_notes *others)
{
    for (const struct gs_note *n = others->first; n != NULL; n = n->next)
        gs_note(notes, n->kind, "%s", n->text);
}
