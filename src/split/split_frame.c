/* split_frame.c - see split_frame.h. */
#include "split/split_frame.h"

enum gs_status gs_split_frame(const struct gs_split_file *file, size_t n, struct gs_arena *arena, struct gs_frames *out,
                              struct gs_err *err)
{
    enum { COL_FILE, COL_SHARD, COL_ROWS, COL_BYTES, N_COLUMNS };
    static const struct gs_column_spec specs[N_COLUMNS] = {
        {"file", "file", "", GS_TYPE_TEXT, 0, "name of the file in the directory that -o names", false},
        {"shard", "shard", "", GS_TYPE_INT, 0,
         "the shard whose hosts it holds, 1 to --parts, as --shard counts; missing: rows that name no host", true},
        {"rows", "rows", "", GS_TYPE_INT, 0, "rows without the header", false},
        {"bytes", "bytes", "B", GS_TYPE_INT, 0, "size of the file", false}};
    struct gs_frame *f;
    uint64_t n_rows = 0;
    const enum gs_status status = gs_frame_new(arena, "split", "Files of the split", specs, N_COLUMNS, n, out, &f, err);
    for (size_t row = 0; status == GS_OK && row < n; row++) {
        gs_frame_set_text(f, row, COL_FILE, gs_str(file[row].name));
        if (file[row].shard != GS_MISSING)
            gs_frame_set_int(f, row, COL_SHARD, file[row].shard);
        gs_frame_set_int(f, row, COL_ROWS, (int64_t)file[row].n_rows);
        gs_frame_set_int(f, row, COL_BYTES, (int64_t)file[row].n_bytes);
        n_rows += file[row].n_rows;
    }
    if (status == GS_OK)
        gs_note(&out->notes, GS_NOTE_INFO, "%llu rows dealt out to %zu files", (unsigned long long)n_rows, n);
    return status;
}
