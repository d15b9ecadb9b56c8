/* texts.h - paragraphs of the help and the manual pages: src/app/cli/texts, compiled in by scripts/embed-texts.sh. */
#pragma once

extern const char gs_text_formats_about[], gs_text_formats_names[], gs_text_formats_units[],
    gs_text_formats_times[], gs_text_formats_joined[], gs_text_formats_mapping[],
    gs_text_program_about[], gs_text_help_about[], gs_text_help_status[];

/* Of texts/forms.md: a format of files, what it is, and the beginning of such a file. */
struct gs_form_text {
    const char *title, *text, *example;
};

/* Ends in {0}. */
extern const struct gs_form_text gs_form_texts[];
