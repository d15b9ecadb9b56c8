/* reject.c - a malformed row is an error, or is skipped and counted. */
#include "input/import/reject.h"

#include "input/import/load_options.h"

enum gs_status gs_set_aside(const struct gs_load_options *o, struct gs_input *input,
                            const struct gs_reject *row, struct gs_err *err)
{
    if (o->reject == NULL)
        return gs_fail_at(err, row->name, row->line, "%s", row->reason);
    input->n_rejected++;
    return o->reject(o->reject_context, row, err);
}
