/* worker_name.c - names of hosts and GPUs, as short as the other rows allow. */
#include "data/result/worker_name.h"

struct gs_worker gs_frame_worker(const struct gs_frame *f, size_t row)
{
    static const enum gs_column_id names[] = {GS_COL_GPU_UUID, GS_COL_GPU_SERIAL};
    const struct gs_str *const host = gs_frame_cells(f, GS_COL_HOSTNAME)->text;
    struct gs_worker w = {host[row], GS_NO_STR};
    bool several = false, elsewhere = false;
    for (size_t i = 0; i < f->n_rows; i++) {
        several |= i != row && gs_str_eq(host[i], host[row]);
        elsewhere |= !gs_str_eq(host[i], host[row]);
    }
    for (size_t k = 0; several && k < sizeof names / sizeof *names; k++) {
        const int column = gs_frame_column(f, names[k]);
        if (column >= 0)
            w.gpu = gs_str_or(w.gpu, f->columns[column].text[row]);
    }
    if (!elsewhere && w.gpu.len > 0)
        w.host = GS_NO_STR;
    return w;
}

struct gs_str gs_worker_name(struct gs_worker w, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    gs_buf_add(&b, w.host);
    gs_buf_text_if(&b, w.host.len > 0 && w.gpu.len > 0, " ");
    gs_buf_text_if(&b, w.gpu.len > 0 && !gs_str_begins(w.gpu, "GPU-"), "GPU ");
    gs_buf_add(&b, gs_uuid_brief(w.gpu));
    return b.failed ? GS_NO_STR : gs_buf_str(&b);
}
