#ifndef NCCL_ANALYZE_H
#define NCCL_ANALYZE_H
/* The C interface: logs in, a report out. It compiles as C11 and as C++; the library is libnccl_analyze_c.
 *
 *     nccl_analyze_analyzer *analyzer = nccl_analyze_new();
 *     const char *paths[] = {"logs/"};
 *     nccl_analyze_report *report = NULL;
 *     if (nccl_analyze_read(analyzer, paths, 1) == NCCL_ANALYZE_OK &&
 *         nccl_analyze_finish(analyzer, &report) == NCCL_ANALYZE_OK)
 *       puts(nccl_analyze_headline(report));
 *     else
 *       fprintf(stderr, "%s\n", nccl_analyze_error(analyzer));
 *     nccl_analyze_report_free(&report);
 *     nccl_analyze_free(&analyzer);
 *
 * The whole interface follows these rules:
 * - Texts are UTF-8 and end with a zero byte. Names and paths may hold any other bytes; reports show bytes that are not
 *   UTF-8 as escapes. Log bytes may be anything: a damaged log is no error, and the report counts its lines.
 * - Functions copy what they keep of their arguments. What they return belongs to its handle, except the texts of
 *   nccl_analyze_render().
 * - A null handle or argument is never followed: it gives NCCL_ANALYZE_MISUSE, a null pointer, an empty text or zero,
 *   and freeing it does nothing. A function that frees sets the caller's pointer to NULL, so that it can be called
 *   again.
 * - No exception leaves the library; it does not print, exit or change signal handlers.
 * - Several threads may use different handles at once. Calls on one analyzer wait for each other, except
 *   nccl_analyze_stop(). A report does not change: several threads may read it, none while another frees it.
 */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. It increases with every addition, and functions of earlier versions keep their meaning.
 * Therefore a program runs with any library whose nccl_analyze_api_version() is at least the version of the header that
 * the program was compiled with. */
#define NCCL_ANALYZE_API_VERSION 2
int nccl_analyze_api_version(void);
/* The version of the library, such as "0.1.0". Static. */
const char *nccl_analyze_version(void);

typedef enum nccl_analyze_status {
  NCCL_ANALYZE_OK = 0,
  NCCL_ANALYZE_FAILED = 1,    /* nccl_analyze_error() describes the error and its remedy. */
  NCCL_ANALYZE_NO_MEMORY = 2, /* The analyzer can only be freed: each later call returns the same. */
  NCCL_ANALYZE_MISUSE = 3,    /* A null argument, or an analyzer that is finished. */
  NCCL_ANALYZE_STOPPED = 4    /* nccl_analyze_stop() ended the reading; a report can still be made. */
} nccl_analyze_status;

/* Collects the logs of one job. Memory grows with the job's size, not with the length of its logs; each source that has
 * not ended takes a few megabytes more. */
typedef struct nccl_analyze_analyzer nccl_analyze_analyzer;
/* The verdict, the findings and the model of a job. It stays valid when its analyzer is freed. */
typedef struct nccl_analyze_report nccl_analyze_report;

/* Returns a new analyzer, which nccl_analyze_free() frees; NULL if there is not enough memory. */
nccl_analyze_analyzer *nccl_analyze_new(void);
void nccl_analyze_free(nccl_analyze_analyzer **analyzer);

/* Sets an option, which has the name and the value of the program's option:
 *   select, ignore   rules, by id, prefix of ids (NCA3) or name, separated by commas
 *   expect           expectations, separated by commas: "ranks=16,network=IB"
 *   profile          the name of a profile, or the file of one
 *   rules            a file with rules of the site
 * An option that is set again adds to the first value; another profile replaces it. Options must be set before the
 * first bytes are read. An unknown name fails here; a wrong value fails in the first call that reads or finishes. */
nccl_analyze_status nccl_analyze_set(nccl_analyze_analyzer *analyzer, const char *option, const char *value);

/* Parses log bytes of the source with this name (a file, a pod, a stream). The bytes may be cut anywhere, and sources
 * may alternate. The bytes are parsed as they are: nothing is unpacked. `bytes` may be NULL if `size` is 0. */
nccl_analyze_status nccl_analyze_feed(nccl_analyze_analyzer *analyzer, const char *source, const void *bytes,
                                      size_t size);
/* Ends a source: parses a last line without a newline and frees its parser. Bytes fed later under this name begin a new
 * source. An unknown name is ignored. */
nccl_analyze_status nccl_analyze_end(nccl_analyze_analyzer *analyzer, const char *source);

/* Reads files, folders and archives (.gz .zst .xz .bz2 .lz4 .tar .zip) as the program does; "-" is standard input. Of
 * files with equal bytes in one call only the first is read, and reports of this program are left out. Fails if there
 * is nothing to read at all; anything else that could not be read is a notice of the report. */
nccl_analyze_status nccl_analyze_read(nccl_analyze_analyzer *analyzer, const char *const *paths, size_t count);
/* Ends the reading of this analyzer within a fraction of a second; all later calls of nccl_analyze_read() stop at once.
 * Any thread and any signal handler may call it while another thread reads, but not while another thread frees. */
void nccl_analyze_stop(nccl_analyze_analyzer *analyzer);

/* Makes the report on the log so far, without last lines that have no newline yet. Reading may go on afterwards. On
 * failure *report is NULL. */
nccl_analyze_status nccl_analyze_look(nccl_analyze_analyzer *analyzer, nccl_analyze_report **report);
/* Ends all sources and makes the report on the whole log; the analyzer can only be freed afterwards. On failure *report
 * is NULL. */
nccl_analyze_status nccl_analyze_finish(nccl_analyze_analyzer *analyzer, nccl_analyze_report **report);

/* Why the last call on this analyzer did not return NCCL_ANALYZE_OK, in one line; empty after NCCL_ANALYZE_OK. Valid
 * until the next call on the analyzer. */
const char *nccl_analyze_error(const nccl_analyze_analyzer *analyzer);

void nccl_analyze_report_free(nccl_analyze_report **report);

/* The verdict: "ok", "warning", "error", or "unknown" where the log cannot prove that the job is healthy. */
const char *nccl_analyze_verdict(const nccl_analyze_report *report);
/* What became of the job: "completed", "failed", "hung", "running" where the log ends in the middle of healthy work, or
   "unknown". */
const char *nccl_analyze_outcome(const nccl_analyze_report *report);
/* The verdict in one sentence. */
const char *nccl_analyze_headline(const nccl_analyze_report *report);

/* The number of findings, and a value of one: root causes first. `key` is "rule" (NCA301), "name" (net-plugin-failed),
 * "severity" (error, warning, info), "place" (the ranks or hosts to examine first), "message" or "fix" (Markdown). NULL
 * if there is no such finding or key. Everything else about findings is in the JSON report. */
size_t nccl_analyze_finding_count(const nccl_analyze_report *report);
const char *nccl_analyze_finding(const nccl_analyze_report *report, size_t index, const char *key);

/* What could not be read or was left out, one sentence each, with "error: " or "warning: " before it. NULL beyond the
 * last one. */
size_t nccl_analyze_notice_count(const nccl_analyze_report *report);
const char *nccl_analyze_notice(const nccl_analyze_report *report, size_t index);

/* Writes the report in one of the formats json, text, markdown, html, html-fragment (verdict and findings for the page
 * of another program), ranks, trace, junit, sarif, github, prometheus and dot. *text gets a text that
 * nccl_analyze_text_free() frees, *size its bytes without the zero at the end; `size` may be NULL. An unknown format is
 * misuse. On failure *text is NULL. */
nccl_analyze_status nccl_analyze_render(const nccl_analyze_report *report, const char *format, char **text,
                                        size_t *size);
void nccl_analyze_text_free(char **text);

/* Writes logs again, fit to be posted. Promised: no word stays but NCCL's own text, words of a fixed vocabulary, and
 * forms that tell nothing; all else has a stand-in, equal ones for equal names in all sources; and the analysis of the
 * output is that of the input with stand-ins. Not promised: that a name is hidden which is a word of the vocabulary, or
 * a number of up to eight digits. Look the output over before you share it.
 *
 * The caller feeds the logs twice, because only a later line may show that a word is a name: each source to
 * nccl_analyze_redaction_survey(), then each again, in the same order, to nccl_analyze_redaction_rewrite(). Both take
 * bytes that are cut anywhere, and nccl_analyze_redaction_end() ends each source; sources do not alternate. Memory is
 * that of the names and a million other words, and two bits for each line. Texts are freed with
 * nccl_analyze_text_free(). Since API version 2. */
typedef struct nccl_analyze_redaction nccl_analyze_redaction;
/* `keep_other`: whether lines of other programs are kept, masked as all others; else each becomes `# redacted`. Returns
 * NULL if there is not enough memory. */
nccl_analyze_redaction *nccl_analyze_redaction_new(int keep_other);
void nccl_analyze_redaction_free(nccl_analyze_redaction **redaction);
/* Uses the table of an earlier redaction, before the second pass: the same names get the same stand-ins again. */
nccl_analyze_status nccl_analyze_redaction_use(nccl_analyze_redaction *redaction, const char *table);
/* First pass. Fails with NCCL_ANALYZE_MISUSE if another source has not ended. `bytes` may be NULL if `size` is 0. */
nccl_analyze_status nccl_analyze_redaction_survey(nccl_analyze_redaction *redaction, const char *source,
                                                  const void *bytes, size_t size);
/* Second pass. *text gets the redacted lines that the bytes complete, *text_size their size. */
nccl_analyze_status nccl_analyze_redaction_rewrite(nccl_analyze_redaction *redaction, const char *source,
                                                   const void *bytes, size_t size, char **text, size_t *text_size);
/* Ends the source of either pass. In the second one, *text gets a last line without a newline; else it is empty. */
nccl_analyze_status nccl_analyze_redaction_end(nccl_analyze_redaction *redaction, char **text, size_t *text_size);
/* The name of a source without names, for the file of its output. Ends the first pass. */
nccl_analyze_status nccl_analyze_redaction_name(nccl_analyze_redaction *redaction, const char *source, char **text);
/* The table of stand-ins and originals, as `redact --map` writes it. Whoever has it can undo the redaction. */
nccl_analyze_status nccl_analyze_redaction_table(nccl_analyze_redaction *redaction, char **text, size_t *text_size);
/* Why the last call did not return NCCL_ANALYZE_OK, as nccl_analyze_error(). */
const char *nccl_analyze_redaction_error(const nccl_analyze_redaction *redaction);

#ifdef __cplusplus
}
#endif

#endif
