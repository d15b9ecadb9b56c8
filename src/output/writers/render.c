/* render.c - the table of formats. */
#include "output/writers/render.h"

#include "output/writers/writer.h"

struct format {
    struct gs_format_info info;
    gs_edge_writer_fn *open, *close; /* NULL: nothing there */
    gs_frame_writer_fn *frame;
};

/*
 * A new format is one row here and one name below; the enum, this table and the names must have
 * the same entries.
 */
static const struct format formats[GS_N_FORMATS] = {
    [GS_FORMAT_TABLE] = {{"table", ".txt"}, .frame = gs_write_table},
    [GS_FORMAT_CSV] = {{"csv", ".csv"}, .frame = gs_write_csv},
    [GS_FORMAT_TSV] = {{"tsv", ".tsv"}, .frame = gs_write_tsv},
    [GS_FORMAT_JSON] = {{"json", ".json"}, gs_open_json, gs_close_json, gs_write_json},
    [GS_FORMAT_JSONL] = {{"jsonl", ".jsonl"}, .frame = gs_write_jsonl},
    [GS_FORMAT_MARKDOWN] = {{"markdown", ".md"}, .frame = gs_write_markdown},
    [GS_FORMAT_HTML] = {{"html", ".html"}, gs_open_html, gs_close_html, gs_write_html},
    [GS_FORMAT_GNUPLOT] = {{"gnuplot", ".gp"}, .frame = gs_write_gnuplot},
};

const char *const gs_format_names[GS_N_FORMATS + 1] = {
    [GS_FORMAT_TABLE] = "table", [GS_FORMAT_CSV] = "csv",         [GS_FORMAT_TSV] = "tsv",
    [GS_FORMAT_JSON] = "json",   [GS_FORMAT_JSONL] = "jsonl",     [GS_FORMAT_MARKDOWN] = "markdown",
    [GS_FORMAT_HTML] = "html",   [GS_FORMAT_GNUPLOT] = "gnuplot",
};

const struct gs_format_info *gs_format_info(enum gs_format format)
{
    return &formats[format].info;
}

enum gs_status gs_render(const struct gs_frame *first, enum gs_format format,
                         const struct gs_render_options *options, struct gs_sink sink,
                         struct gs_err *err)
{
    const struct format *const how = &formats[format];
    GS_OWN struct gs_arena arena = {0};
    struct gs_writer w = {
        .sink = sink,
        .options = options,
        .first = first,
        .several = first != NULL && first->next != NULL,
        .arena = &arena,
    };
    if (how->open != NULL)
        GS_TRY(how->open(&w, err));
    size_t index = 0;
    for (const struct gs_frame *f = first; f != NULL; f = f->next)
        GS_TRY(how->frame(&w, f, index++, err));
    if (how->close != NULL)
        GS_TRY(how->close(&w, err));
    return GS_OK;
}
