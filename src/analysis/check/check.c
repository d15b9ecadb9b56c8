/* check.c - gathers the findings of its parts and orders them. */
#include "analysis/check/check.h"

#include "analysis/check/check_parts.h"
#include "analysis/aggregate/intervals.h"

static const struct gs_field tally_fields[] = {
    {GS_FIELD_COUNT, offsetof(struct gs_tally, n)},
    {GS_FIELD_LEAST, offsetof(struct gs_tally, line)},
};
static const struct gs_field listed_fields[] = {
    {GS_FIELD_LEAST, offsetof(struct gs_check_listed, line)}};
static const struct gs_field figure_fields[] = {
    {GS_FIELD_GREATEST, offsetof(struct gs_check_figures, n)},
    {GS_FIELD_LEAST, offsetof(struct gs_check_figures, line)},
    {GS_FIELD_GREATEST, offsetof(struct gs_check_figures, width)},
    {GS_FIELD_GREATEST, offsetof(struct gs_check_figures, height)},
    {GS_FIELD_GREATEST, offsetof(struct gs_check_figures, n_distinct)},
    {GS_FIELD_GREATEST, offsetof(struct gs_check_figures, x)},
    {GS_FIELD_GREATEST, offsetof(struct gs_check_figures, y)},
};
static const struct gs_field host_fields[] = {
    {GS_FIELD_LEAST, offsetof(struct gs_check_host, first_ns)},
    {GS_FIELD_GREATEST, offsetof(struct gs_check_host, last_ns)},
    {GS_FIELD_LEAST, offsetof(struct gs_check_host, line)},
    {GS_FIELD_GREATEST, offsetof(struct gs_check_host, interval_ns)},
};
static const struct gs_field file_fields[] = {
    {GS_FIELD_GREATEST, offsetof(struct gs_check_file, n_rejected)},
    {GS_FIELD_GREATEST, offsetof(struct gs_check_file, n_skipped)},
    {GS_FIELD_GREATEST, offsetof(struct gs_check_file, n_around)}};

static const struct gs_records_spec tally_spec = {
    GS_RECORDS("tallies", "tt", struct gs_tally, tally_fields)};
static const struct gs_records_spec listed_spec = {
    GS_RECORDS("tasks", "ii", struct gs_check_listed, listed_fields)};
static const struct gs_records_spec table_spec = {
    GS_RECORDS("table", "ti", struct gs_check_figures, figure_fields)};
static const struct gs_records_spec file_spec = {
    GS_RECORDS("files", "i", struct gs_check_file, file_fields)};
static const struct gs_records_spec host_spec = {
    GS_RECORDS("hosts", "t", struct gs_check_host, host_fields)};
static const struct gs_records_spec *const tables[GS_N_CHECK_TABLES] = {
    [GS_CHECK_TALLIES] = &tally_spec, [GS_CHECK_INTERVALS] = &gs_intervals_spec,
    [GS_CHECK_LISTED] = &listed_spec, [GS_CHECK_TABLE] = &table_spec,
    [GS_CHECK_FILES] = &file_spec,    [GS_CHECK_HOSTS] = &host_spec,
};

static enum gs_status make_plan(const void *options, const struct gs_dataset *d,
                                struct gs_state *state, struct gs_arena *arena, struct gs_err *err)
{
    (void)options;
    GS_NEW_RAW(union gs_key, file, d->n_inputs, arena, err);
    GS_TRY(gs_records_plan(&state->table[GS_CHECK_FILES], file, (uint32_t)d->n_inputs, arena, err));
    size_t i = gs_input_next(d, SIZE_MAX);
    for (uint32_t k = 0; i < d->n_inputs; k++, i = gs_input_next(d, i)) {
        file[k].number = (int64_t)gs_input_number(d, i);
        *(struct gs_check_file *)gs_records_at(&state->table[GS_CHECK_FILES], k) =
            (struct gs_check_file){(int64_t)d->input[i].n_rejected, (int64_t)d->input[i].n_skipped,
                                   (int64_t)d->input[i].n_around};
    }
    struct gs_frame *rows = NULL;
    GS_TRY(gs_check_rows_new(arena, &rows, err));
    if ((state->rows.types = gs_row_types(rows, arena)) == NULL)
        GS_TRY(gs_fail_memory(err));
    state->plan = rows;
    if (d->table[GS_TABLE_TASKS].n_columns > 0 && !d->is_rest)
        GS_TRY(gs_check_plan_tasks(state, d, arena, err));
    return GS_OK;
}

/*
 * All parts look at every host even after one has found something: a report of half the
 * problems would make the user run the check twice.
 */
static enum gs_status add_host(const void *options, struct gs_state *state,
                               struct gs_fold_host *host, struct gs_err *err)
{
    (void)options;
    GS_TRY(gs_had_memory(gs_check_add_times(state, host) && gs_check_add_pairs(state, host) &&
                             gs_check_add_readings(state, host),
                         err));
    return gs_check_add_tasks(state, host, err);
}

/*
 * What the loader noticed. From the last file to the first, so that `first` ends as the name of
 * the first one.
 */
static void report_inputs(struct gs_check_report *r)
{
    const struct gs_records *const files = &r->state->table[GS_CHECK_FILES];
    uint64_t n_rejected = 0, n_skipped = 0, n_around = 0;
    const char *rejected = "", *skipped = "", *around = "";
    for (uint32_t i = files->n; i-- > 0;) {
        const struct gs_check_file *const f = gs_records_at(files, i);
        const struct gs_facts_input *const input =
            gs_facts_input(r->facts, (uint64_t)gs_records_key(files, i, 1)->number);
        if (input == NULL)
            continue;
        n_rejected += (uint64_t)gs_max(f->n_rejected, 0);
        n_skipped += (uint64_t)gs_max(f->n_skipped, 0);
        n_around += (uint64_t)gs_max(f->n_around, 0);
        if (f->n_rejected > 0)
            rejected = input->name.ptr;
        if (f->n_skipped > 0)
            skipped = input->name.ptr;
        if (f->n_around > 0)
            around = input->name.ptr;
    }
    gs_check_add_at(r, GS_FINDING_MALFORMED_ROWS, GS_SEVERITY_ERROR, "malformed rows", n_rejected,
                    rejected,
                    "they are in the file that --rejects names, each with its line and reason, and "
                    "in no result");
    gs_check_add_at(r, GS_FINDING_SKIPPED_ROWS, GS_SEVERITY_WARNING, "skipped rows", n_skipped,
                    skipped,
                    "without a time, an event or an end, or cut off: they are in no result");
    gs_check_add_at(r, GS_FINDING_LINES_AROUND, GS_SEVERITY_INFO, "lines that are no rows",
                    n_around, around,
                    "a banner, a comment or a program's message: they were passed over");
    gs_check_add_at(r, GS_FINDING_ZONELESS_TIMES, GS_SEVERITY_INFO, "times without a zone",
                    r->facts->zoneless, "",
                    "they were read in the zone of --tz, UTC unless it says otherwise");
}

/* clang-format off */
static const struct gs_column_spec columns[] = {
    GS_COL(SEVERITY),
    GS_COL(FINDING),
    GS_COL(COUNT),
    GS_COL(FIRST_PLACE),
    GS_COL(HINT),
    GS_COL(ID)};
/* clang-format on */

/*
 * Errors first, and within a severity the order in which the parts report. Accepted findings
 * are listed but do not make the status 1.
 */
static enum gs_status to_frame(const struct gs_check_report *r, struct gs_arena *arena,
                               struct gs_frames *out, bool *wrong, struct gs_err *err)
{
    static const char *const names[GS_N_SEVERITIES] = {"error", "warning", "accepted", "info"};
    struct gs_frame *f;
    GS_TRY(
        gs_frame_new(arena, GS_HEAD("check", "Findings", GS_COLUMNS(columns)), r->n, out, &f, err));
    size_t row = 0;
    for (int severity = 0; severity < GS_N_SEVERITIES; severity++)
        for (size_t i = 0; i < r->n; i++) {
            if (r->row[i].severity != (enum gs_severity)severity)
                continue;
            if (r->row[i].place[0] != '\0')
                GS_PUT(f, row, GS_TEXT(FIRST_PLACE, gs_str(r->row[i].place)));
            GS_PUT(f, row++, GS_TEXT(SEVERITY, gs_str(names[severity])),
                   GS_TEXT(FINDING, r->row[i].finding),
                   GS_INT(COUNT, (int64_t)gs_min(r->row[i].count, (uint64_t)INT64_MAX)),
                   GS_TEXT(HINT, r->row[i].hint), GS_TEXT(ID, gs_str(gs_finding_id(r->row[i].id))));
            *wrong |= severity == GS_SEVERITY_ERROR || severity == GS_SEVERITY_WARNING;
        }
    return GS_OK;
}

/* A finding that was accepted and is gone: its acceptance is out of date. */
static void note_unused(const struct gs_check_report *r, struct gs_notes *notes)
{
    bool found[GS_N_FINDINGS] = {false};
    for (size_t i = 0; i < r->n; i++)
        found[r->row[i].id] = true;
    for (int k = 0; k < GS_N_FINDINGS; k++)
        if (r->accepted->kind[k] && !found[k])
            gs_note(notes, GS_NOTE_INFO, "%s is accepted and was not found",
                    gs_finding_id((enum gs_finding)k));
}

/*
 * GS_FINDINGS is not a failure: the table is complete and is printed. The order of the calls is
 * the order of the rows.
 */
static enum gs_status finish(const struct gs_finish *of, struct gs_frames *out, struct gs_err *err)
{
    struct gs_check_report r = {
        .state = of->state, .facts = of->facts, .accepted = of->options, .arena = of->arena};
    struct gs_check_seen seen;
    bool wrong = false;
    GS_TRY(gs_check_seen_tasks(of->state, &seen, err));
    report_inputs(&r);
    gs_check_report_readings(&r);
    gs_check_report_hosts(&r);
    gs_check_report_pairs(&r);
    gs_check_report_clocks(&r);
    gs_check_report_tasks(&r, &seen);
    enum gs_status s = r.failed ? gs_fail_memory(err) : to_frame(&r, of->arena, out, &wrong, err);
    if (s == GS_OK)
        note_unused(&r, &out->notes);
    return s == GS_OK && wrong ? GS_FINDINGS : s;
}

/* clang-format off */
const struct gs_fold gs_check_fold = {
    .name = "check", .views = GS_VIEW_SAMPLES | GS_VIEW_PAIRS | GS_VIEW_RHYTHM, .table = tables, .n_tables = GS_N_CHECK_TABLES,
    .has_rows = true, .layout = 4, .plan = make_plan, .add = add_host, .finish = finish,
};
/* clang-format on */
