/* notes.h - diagnostics of a run (notes, warnings), collected by the library and printed by main(). */
#pragma once

#include "base/core/arena.h"

enum gs_note_kind {
    GS_NOTE_INFO,    /* what was assumed or done: "times without a zone were read as UTC"    */
    GS_NOTE_WARNING, /* what may mislead: "energies need a unit"                             */
    GS_NOTE_FINDING, /* a warning of what `check` lists with its places: "9 duplicate rows"  */
    GS_NOTE_UNUSED, /* files beside those of the answer, which it does not use: shown below it    */
    GS_NOTE_UNCERTAINTY, /* why the energies' intervals are wide; shown beside a table that has them */
};

struct gs_note {
    struct gs_note *next;
    enum gs_note_kind kind;
    const char *text; /* complete, escaped, without full stop */
};

/* In order of appending. Start from `{.arena = a}`. */
struct gs_notes {
    struct gs_arena *arena;
    struct gs_note *first, *last;
};

/* Appends a note; a text equal to an earlier note's is said once. Without memory the note is lost. */
void gs_note(struct gs_notes *notes, enum gs_note_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

bool gs_note_is_warning(const struct gs_note *note);

/* Appends the notes of another list, whose texts are copied. */
void gs_notes_add(struct gs_notes *notes, const struct gs_notes *others);
