/* check.c - gathers the findings of its parts and orders them. */
#include "check/check.h"

#include "check/check_parts.h"

/* What the loader noticed. */
static void check_inputs(struct gs_check_report *r)
{
    uint64_t n_rejected = 0;
    const char *first = "";
    for (size_t i = r->d->n_inputs; i-- > 0;)
        if (r->d->input[i].n_rejected > 0) {
            n_rejected += r->d->input[i].n_rejected;
            first = r->d->input[i].name;
        }
    gs_check_add_at(r, GS_FINDING_MALFORMED_ROWS, GS_SEVERITY_ERROR, "malformed rows", n_rejected, first,
                    "they are in the file that --rejects names, each with its line and reason, and in no result");
    gs_check_add_at(r, GS_FINDING_ZONELESS_TIMES, GS_SEVERITY_INFO, "times without a zone", r->d->zoneless, "",
                    "they were read in the zone of --tz, UTC unless it says otherwise");
}

static const struct gs_column_spec columns[] = {
    {"severity", "severity", "", GS_TYPE_TEXT, 0, "error: results are wrong; warning: results may mislead; accepted: one of these, known and named by --accept; "
     "info: neither",
     false},
    {"finding", "finding", "", GS_TYPE_TEXT, 0, "what was found", false},
    {"count", "count", "", GS_TYPE_INT, 0, "how often: rows, readings, tasks, GPUs or hosts, as the finding says", false},
    {"first_place", "first place", "", GS_TYPE_TEXT, 0,
     "FILE:LINE of the first row concerned, in the order of the files", false},
    {"hint", "hint", "", GS_TYPE_TEXT, 0, "what it means and what can be done", false},
    {"id", "id", "", GS_TYPE_TEXT, 0, "the lasting name of the kind of finding, for --accept", false},
};

static enum gs_status to_frame(const struct gs_check_report *r, struct gs_arena *arena, struct gs_frames *out,
                               bool *wrong, struct gs_err *err)
{
    static const char *const names[GS_N_SEVERITIES] = {"error", "warning", "accepted", "info"};
    struct gs_frame *f;
    const enum gs_status s = gs_frame_new(arena, "check", "Findings", columns, sizeof columns / sizeof *columns, r->n,
                                          out, &f, err);
    size_t row = 0;
    for (int severity = 0; s == GS_OK && severity < GS_N_SEVERITIES; severity++)
        for (size_t i = 0; i < r->n; i++) {
            if (r->row[i].severity != (enum gs_severity)severity)
                continue;
            gs_frame_set_text(f, row, 0, gs_str(names[severity]));
            gs_frame_set_text(f, row, 1, r->row[i].finding);
            gs_frame_set_int(f, row, 2, r->row[i].count > INT64_MAX ? INT64_MAX : (int64_t)r->row[i].count);
            if (r->row[i].place[0] != '\0')
                gs_frame_set_text(f, row, 3, gs_str(r->row[i].place));
            gs_frame_set_text(f, row, 4, r->row[i].hint);
            gs_frame_set_text(f, row++, 5, gs_str(gs_finding_id(r->row[i].id)));
            *wrong |= severity == GS_SEVERITY_ERROR || severity == GS_SEVERITY_WARNING;
        }
    return s;
}

/* A finding that was accepted and is gone: its acceptance is out of date. */
static void note_unused(const struct gs_check_report *r, struct gs_notes *notes)
{
    bool found[GS_N_FINDINGS] = {false};
    for (size_t i = 0; i < r->n; i++)
        found[r->row[i].id] = true;
    for (int k = 0; r->accepted != NULL && k < GS_N_FINDINGS; k++)
        if (r->accepted->kind[k] && !found[k])
            gs_note(notes, GS_NOTE_INFO, "%s is accepted and was not found", gs_finding_id((enum gs_finding)k));
}

enum gs_status gs_check(const struct gs_dataset *d, const struct gs_accepted *accepted, unsigned n_threads,
                        struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    struct gs_check_report r = {.d = d, .accepted = accepted, .arena = arena};
    bool wrong = false;
    check_inputs(&r);
    enum gs_status s = gs_check_readings(&r, n_threads, err);
    if (s == GS_OK)
        s = gs_check_hosts(&r, n_threads, err);
    if (s == GS_OK)
        s = gs_check_tasks(&r, n_threads, err);
    if (s == GS_OK && r.failed)
        s = gs_fail_memory(err);
    if (s == GS_OK)
        s = to_frame(&r, arena, out, &wrong, err);
    if (s == GS_OK)
        note_unused(&r, &out->notes);
    return s == GS_OK && wrong ? GS_FINDINGS : s;
}
