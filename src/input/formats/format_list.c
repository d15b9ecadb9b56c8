/* format_list.c - all forms, in the order in which they are tried. */
#include "input/formats/formats.h"

const struct gs_form gs_form_table = {
    .name = GS_FORM_DEFAULT, .delimited = true, .read = gs_table_read};

extern const struct gs_form gs_form_mllog, gs_form_spl, gs_form_jobs, gs_form_sacct, gs_form_chrome,
    gs_form_rocm, gs_form_prometheus, gs_form_influx, gs_form_dmon, gs_form_tegrastats,
    gs_form_json, gs_form_otlp, gs_form_smi_table, gs_form_smi_list, gs_form_nsys, gs_form_timed,
    gs_form_monitor, gs_form_gpustat, gs_form_labelled, gs_form_marks, gs_form_powermetrics,
    gs_form_turbostat, gs_form_columns, gs_form_afterburner, gs_form_progress;

/* A form that could be taken for another's stands before it. */
/* clang-format off */
const struct gs_form *const gs_forms[] = {
    &gs_form_nsys,      &gs_form_mllog,     &gs_form_spl,      &gs_form_jobs, &gs_form_sacct,  &gs_form_chrome, &gs_form_rocm,       &gs_form_clustercockpit, &gs_form_otlp,
    &gs_form_smi_table, &gs_form_smi_list, &gs_form_gpustat, &gs_form_prometheus, &gs_form_influx, &gs_form_dmon, &gs_form_tegrastats,
    &gs_form_powermetrics, &gs_form_turbostat, &gs_form_columns, &gs_form_afterburner, &gs_form_progress, &gs_form_monitor,   &gs_form_timed,     &gs_form_json,      &gs_form_marks,    &gs_form_labelled, &gs_form_table,      NULL,
};
/* clang-format on */

const struct gs_form *gs_form_find(struct gs_str name)
{
    for (size_t i = 0; gs_forms[i] != NULL; i++)
        if (gs_str_eq(name, gs_str(gs_forms[i]->name)))
            return gs_forms[i];
    return NULL;
}

const struct gs_form *gs_source_form(const struct gs_source *s)
{
    static const struct gs_form unknown = {.name = ""};
    const struct gs_form *const form = gs_form_find(s->form);
    if (form == NULL)
        return &unknown;
    return form;
}

enum gs_status gs_form_read(const struct gs_form *form, struct gs_text_in *in,
                            const struct gs_source *source, struct gs_record_sink *out,
                            struct gs_err *err)
{
    out->source = source;
    GS_TRY(form->read != NULL ? form->read(in, out, err)
                              : gs_read_lines(&form->lines, in, out, err));
    return out->full ? gs_record_sink_full(out, err) : GS_OK;
}

bool gs_form_is_told(const struct gs_form *form)
{
    return form->matches != NULL || form->has_line != NULL;
}

bool gs_form_fits(const struct gs_form *form, struct gs_str head)
{
    const char first = gs_first_byte(head);
    bool fits = form->sign[0] == NULL && gs_form_is_told(form);
    if (form->container == GS_CONTAINER_JSON && first != '{' && first != '[')
        return false;
    for (size_t i = 0; i < 3 && !fits && form->sign[i] != NULL; i++)
        fits = gs_str_find(head, form->sign[i]) < head.len;
    return fits && (form->matches == NULL || form->matches(head)) &&
           (form->has_line == NULL || gs_head_has_line(head, form->has_line));
}
