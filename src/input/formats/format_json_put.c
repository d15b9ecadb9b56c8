/* format_json_put.c - what all forms of JSON share: leaves of an object into a record. */
#include "input/formats/formats.h"

bool gs_json_put_leaf(void *context, struct gs_str path, struct gs_str value)
{
    struct gs_json_record *const j = context;
    gs_record_sink_set(j->out, path, value);
    return !j->out->full;
}

enum gs_status gs_json_put(struct gs_json_record *j, struct gs_str text, uint64_t line, bool arrays,
                           struct gs_err *err)
{
    bool ok;
    j->out->line = line;
    const size_t at = gs_json_walk(text, arrays, &j->room, gs_json_put_leaf, j, &ok);
    if (j->out->full)
        return gs_record_sink_full(j->out, err);
    GS_TRY(gs_had_memory(!j->room.path.failed && !j->room.text.failed, err));
    if (ok)
        return GS_OK;
    uint64_t lines = 0;
    for (size_t i = 0; i < at && i < text.len; i++)
        lines += text.ptr[i] == '\n';
    return gs_fail(err, GS_ERR_DATA, "%s:%llu: not JSON", j->out->name,
                   (unsigned long long)(line + lines));
}
