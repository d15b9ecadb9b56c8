/* map_inspect.c - what is said of sources that were read, and the look that `map` takes at them. */
#include "input/detect/map_build.h"
#include "input/detect/detect.h"

#include <string.h>

static void note_columns(const struct gs_source *s, const char *name, struct gs_notes *notes)
{
    struct gs_arena own = {0};
    struct gs_buf list = {.arena = &own};
    for (size_t i = 0; i < s->columns.n; i++) {
        gs_buf_text(&list, i == 0 ? "" : ",");
        if (gs_str_begins(s->columns.item[i], GS_UNNAMED_COLUMN))
            gs_buf_char(&list, '-');
        else
            gs_buf_escaped(&list, s->columns.item[i], 80);
    }
    if (!list.failed)
        gs_note(notes, GS_NOTE_INFO, "%s: has no header; read as --columns %s", name,
                gs_buf_str(&list).ptr);
    gs_arena_release(&own);
}

void gs_mapped_notes(const struct gs_source *s, const struct gs_mapped_file *file,
                     const struct gs_mapper_options *o, struct gs_notes *notes)
{
    struct gs_mapped_file all = {0};
    for (size_t i = 0; i < s->path.n; i++) {
        all.n_set_aside += file[i].n_set_aside - file[i].n_rejected;
        all.n_prose += file[i].n_prose;
        all.n_cut += file[i].n_cut;
        all.n_disagree += file[i].n_disagree;
        all.n_same_start += file[i].n_same_start;
        all.zoneless |= file[i].zoneless;
        all.by_size |= file[i].by_size;
        all.latin1 |= file[i].latin1;
        all.has_nuls |= file[i].has_nuls;
    }
    char shown[256], path[256];
    const char *const name = gs_escape(shown, sizeof shown, gs_file_called(s->files.item[0]));
    if (s->columns_guessed)
        note_columns(s, name, notes);
    if (s->own_clock && s->origin.text.ptr == gs_map_epoch.text.ptr && s->origin.text.ptr != NULL)
        gs_note(notes, GS_NOTE_INFO,
                "%s: its times are no dates, so they count from 1970-01-01 (--set %s.origin=DATE)",
                name, gs_role_names[s->role]);
    for (size_t i = 0; i < s->said.n; i++)
        gs_note(notes, GS_NOTE_INFO, "%s: %s", name, s->said.item[i].ptr);
    for (size_t i = 0; i < s->lacks.n; i++)
        if (gs_source_missing_unit(s, &s->lacks.item[i]))
            gs_missing_unit_note(&s->lacks.item[i], name, notes);
    if (all.zoneless && s->zone.ptr == NULL && gs_zone_is_utc(&o->zone))
        gs_note(notes, GS_NOTE_INFO, "times without a zone were read as UTC (--tz names another)");
    if (s->unnamed)
        gs_note(
            notes, GS_NOTE_INFO,
            "%s: no column names its events, which are all called %.*s (--set events.event=COLUMN)",
            name, (int)s->event.text.len, s->event.text.ptr);
    if (all.by_size)
        gs_note(notes, GS_NOTE_INFO, "%s: the unit of its times was told by their size", name);
    if (all.n_set_aside > 0)
        gs_note(notes, GS_NOTE_WARNING, "%s: %llu row%s skipped: no time, no event or no end", name,
                (unsigned long long)all.n_set_aside, all.n_set_aside == 1 ? "" : "s");
    for (size_t i = 0; i < s->path.n; i++)
        if (file[i].n_bad > 0)
            gs_note(notes, GS_NOTE_WARNING,
                    "%s: %llu reading%s no number and so missing, the first in line %llu",
                    gs_escape(path, sizeof path, gs_file_called(s->path.item[i])),
                    (unsigned long long)file[i].n_bad, file[i].n_bad == 1 ? " is" : "s are",
                    (unsigned long long)file[i].bad_line);
    if (all.n_disagree > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%s: %llu duration%s not stop - start; start and stop count", name,
                (unsigned long long)all.n_disagree, all.n_disagree == 1 ? " is" : "s are");
    if (all.n_same_start > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%s: %llu span%s with another of the same event and job but last%s longer or less "
                "long: rows that add up "
                "would count twice",
                name, (unsigned long long)all.n_same_start,
                all.n_same_start == 1 ? " starts" : "s start", all.n_same_start == 1 ? "s" : "");
    const struct gs_form *const form = gs_source_form(s);
    if (s->role == GS_ROLE_EVENTS && form->device != NULL && s->gpu.kind == GS_VALUE_COLUMN &&
        !gs_str_eq(s->gpu.column.item[0], gs_str("gpu_uuid")))
        gs_note(notes, GS_NOTE_WARNING,
                "%s: the devices of a trace are numbered as the process saw them, which need not "
                "be nvidia-smi's "
                "index%s",
                name,
                form->uuid != NULL
                    ? "; with UUIDs in the samples --set events.gpu=gpu_uuid is exact"
                    : "");
    if (all.n_prose > 0)
        gs_note(notes, GS_NOTE_INFO, "%s: %llu line%s around its table skipped", name,
                (unsigned long long)all.n_prose, all.n_prose == 1 ? "" : "s");
    if (all.n_cut > 0)
        gs_note(notes, GS_NOTE_WARNING, "%s: %llu cell%s of several lines: the first line counts",
                name, (unsigned long long)all.n_cut, all.n_cut == 1 ? "" : "s");
    if (all.latin1)
        gs_note(notes, GS_NOTE_INFO, "%s: bytes that are not UTF-8 were read as Latin-1", name);
    if (all.has_nuls)
        gs_note(notes, GS_NOTE_WARNING, "%s: holds NUL bytes, which were left out", name);
}

/* Units in headers lie now and then: a median that no GPU has is said, and nothing is corrected. */
static void note_medians(const struct gs_source *s, struct gs_notes *notes)
{
    char file[160];
    for (size_t k = 0; s->found.median != NULL && k < s->metrics.n; k++) {
        const struct gs_metric *const m = gs_metric_find(s->metrics.item[k].name);
        const int64_t v = s->found.median[k];
        if (m == NULL || v == GS_MISSING || (v >= m->usual_low && v <= m->usual_high))
            continue;
        gs_note(notes, GS_NOTE_WARNING,
                "%s: the median of %s is %.6g %s, expected %.6g to %.6g: is its unit right (--set "
                "samples.metrics.%s.unit=)?",
                gs_escape(file, sizeof file, gs_file_called(s->files.item[0])), m->name,
                (double)v / (double)GS_FIXED_ONE, m->unit,
                (double)m->usual_low / (double)GS_FIXED_ONE,
                (double)m->usual_high / (double)GS_FIXED_ONE, m->name);
    }
}

enum gs_status gs_map_inspect(struct gs_map *map, const struct gs_mapper_options *o,
                              struct gs_arena *arena, struct gs_notes *notes, struct gs_err *err)
{
    const struct gs_mapped_sink sink = {0};
    enum gs_status s = GS_OK;
    for (size_t i = 0; s == GS_OK && i < map->n_sources; i++) {
        struct gs_source *const source = &map->source[i];
        struct gs_arena scratch = {0};
        struct gs_mapped_found found = {.host = {.arena = &scratch, .seed = o->seed},
                                        .gpu = {.arena = &scratch, .seed = o->seed}};
        struct gs_mapped_file *const file = gs_arena_take(&scratch, source->path.n, sizeof *file);
        s = file == NULL || !gs_mapped_count(&found, source->metrics.n, &scratch, o->seed)
                ? gs_fail_memory(err)
                : GS_OK;
        for (size_t k = 0; s == GS_OK && k < source->path.n; k++)
            s = gs_map_file(source, source->path.item[k].ptr, o, &sink, &found, &file[k], err);
        if (s == GS_OK)
            s = gs_mapped_sum(source, &found, file, source->path.n, arena, err);
        for (size_t k = 0; s == GS_OK && k < source->path.n; k++)
            source->found.zoneless |= file[k].zoneless;
        if (s == GS_OK) {
            gs_mapped_notes(source, file, o, notes);
            note_medians(source, notes);
            s = gs_series_note_equal(&found.series, found.print, notes, err);
        }
        gs_arena_release(&scratch);
    }
    return s;
}
