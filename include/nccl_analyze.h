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
 * - Functions copy what they keep of their arguments. What they return belongs to its handle, except the texts that a
 *   function sets through a `char **`, which nccl_analyze_text_free() frees.
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
#define NCCL_ANALYZE_API_VERSION 3
int nccl_analyze_api_version(void);
/* The version of the library, such as "0.1.0". Static. */
const char *nccl_analyze_version(void);

typedef enum nccl_analyze_status {
  NCCL_ANALYZE_OK = 0,
  NCCL_ANALYZE_FAILED = 1,    /* nccl_analyze_error() describes the error and its remedy. */
  NCCL_ANALYZE_NO_MEMORY = 2, /* The analyzer can only be freed: each later call returns the same. */
  NCCL_ANALYZE_MISUSE = 3,    /* A wrong call, such as one with a null argument or a finished analyzer. */
  NCCL_ANALYZE_STOPPED = 4    /* nccl_analyze_stop() ended the reading; a report can still be made. */
} nccl_analyze_status;

/* Collects the logs of one job, or summaries of them. Memory grows with the job's size, not with the length of its
 * logs; each source that has not ended takes a few megabytes more. */
typedef struct nccl_analyze_analyzer nccl_analyze_analyzer;
/* The verdict, the findings and the model of a job, or the difference of two runs. It stays valid when its analyzer is
 * freed. */
typedef struct nccl_analyze_report nccl_analyze_report;

/* Returns a new analyzer, which nccl_analyze_free() frees; NULL if there is not enough memory. */
nccl_analyze_analyzer *nccl_analyze_new(void);
void nccl_analyze_free(nccl_analyze_analyzer **analyzer);

/* Sets an option, which has the name and the value of the program's option:
 *   select, ignore   rules, by id, prefix of ids (NCA3) or name, separated by commas
 *   expect           expectations, separated by commas: "ranks=16,network=IB"
 *   profile          the name of a profile, or the file of one
 *   rules            a file with rules of the site
 *   baseline         a good run: a log, folder, archive, summary or JSON report (since API version 3)
 *   format           "summary": keep a summary, see nccl_analyze_summary() (since API version 3)
 *   job, step, node  what the summary is of; without them as the program says (since API version 3)
 * An option that is set again adds to its earlier value: select, ignore, expect and rules; other values replace the
 * earlier one. Options must be set before the first bytes are read. An unknown name fails here; a wrong value fails in
 * the first call that reads or makes a report. */
nccl_analyze_status nccl_analyze_set(nccl_analyze_analyzer *analyzer, const char *option, const char *value);

/* Parses log bytes of the source with this name (a file, a pod, a stream). The bytes may be cut anywhere, and sources
 * may alternate. The bytes are parsed as they are: nothing is unpacked. `bytes` may be NULL if `size` is 0. */
nccl_analyze_status nccl_analyze_feed(nccl_analyze_analyzer *analyzer, const char *source, const void *bytes,
                                      size_t size);
/* Ends a source: parses a last line without a newline and frees its parser. Bytes fed later under this name begin a new
 * source. An unknown name is ignored. */
nccl_analyze_status nccl_analyze_end(nccl_analyze_analyzer *analyzer, const char *source);

/* Reads files, folders and archives (.gz .zst .xz .bz2 .lz4 .tar .zip) as the program does; "-" is standard input. If
 * several files of one call have equal bytes, only the first is read; reports of this program are left out. Fails if
 * there is nothing to read at all; anything else that could not be read becomes a notice of the report. */
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

/* Summaries hold what a report needs of logs: workers write them where the logs are, and they are merged in one step or
 * as a tree, in any order and grouping. The report on merged summaries is that on all their logs, except that rules of
 * the site with patterns are not evaluated. Each of the following three functions fails unless the option `format` is
 * `summary`. Logs and summaries may be added to the same analyzer; nccl_analyze_look() then leaves out sources that
 * have not ended. Since API version 3.
 *
 * Ends all sources and sets *text to the summary of all logs and summaries so far, as `nccl-analyze --format summary`
 * and `nccl-analyze merge --format summary` write it. More may be added afterwards. `size` may be NULL. */
nccl_analyze_status nccl_analyze_summary(nccl_analyze_analyzer *analyzer, char **text, size_t *size);
/* Merges summaries from files, folders and archives, as `nccl-analyze merge` does. A summary that is there twice counts
 * once. Fails if none could be read; a damaged one among others becomes a notice, and the report says that it is
 * missing. */
nccl_analyze_status nccl_analyze_merge(nccl_analyze_analyzer *analyzer, const char *const *paths, size_t count);
/* Merges one summary that is in memory; `name` stands for its file in errors. Fails if it is damaged; the analyzer goes
 * on, and its report says that this summary is missing. */
nccl_analyze_status nccl_analyze_merge_bytes(nccl_analyze_analyzer *analyzer, const char *name, const void *bytes,
                                             size_t size);

/* The following functions use the options of an analyzer and nothing that it has read. Since API version 3.
 *
 * Sets *text to the paths of the files that nccl_analyze_read() would read, each with a zero byte at its end, and *size
 * to the size of all: folders and wildcards are expanded, and copies are left out with a notice. A program that shares
 * the files among workers calls it. Fails if there is no file; a path among others that cannot be read becomes a
 * notice, and the summary says so if the option `format` is `summary`. */
nccl_analyze_status nccl_analyze_list(nccl_analyze_analyzer *analyzer, const char *const *paths, size_t count,
                                      char **text, size_t *size);
/* Compares two runs, each a log, folder, archive, summary or JSON report. *report then is the report on the difference:
 * nccl_analyze_verdict() is "same" or "different", there is no finding, and nccl_analyze_render() writes json, text,
 * markdown and html. The option `ignore` has topics in place of rules: "init-time,settings". On failure *report is
 * NULL. */
nccl_analyze_status nccl_analyze_diff(nccl_analyze_analyzer *analyzer, const char *old_run, const char *new_run,
                                      nccl_analyze_report **report);
/* Sets *text to what rules mean. `what`: a rule by id, number or name, the beginning of ids (NCA3), "" for all rules,
 * or with the format text also a line of a log, pasted as it is. `format`: text, as `nccl-analyze explain` prints it,
 * or table, json or markdown, as `nccl-analyze rules` does. Rules of the site are known by the option `rules`. Fails if
 * no rule has the name; of a line that is not recognised, the text says so and shows similar ones. An unknown format
 * gives NCCL_ANALYZE_MISUSE. `size` may be NULL. */
nccl_analyze_status nccl_analyze_explain(nccl_analyze_analyzer *analyzer, const char *what, const char *format,
                                         char **text, size_t *size);

/* As nccl_analyze_notice(), for what this analyzer has read so far; valid until the next call on the analyzer. Since
 * API version 3. */
const char *nccl_analyze_notice_so_far(const nccl_analyze_analyzer *analyzer, size_t index);
/* Why the last call on this analyzer did not return NCCL_ANALYZE_OK, in one line; empty after NCCL_ANALYZE_OK. Valid
 * until the next call on the analyzer. */
const char *nccl_analyze_error(const nccl_analyze_analyzer *analyzer);

void nccl_analyze_report_free(nccl_analyze_report **report);

/* The verdict: "ok", "warning", "error", or "unknown" where the log cannot prove that the job is healthy. Of a
 * difference: "same" or "different". */
const char *nccl_analyze_verdict(const nccl_analyze_report *report);
/* What became of the job: "completed", "failed", "hung", "running" where the log ends in the middle of healthy work, or
   "unknown". Empty for a difference. */
const char *nccl_analyze_outcome(const nccl_analyze_report *report);
/* The verdict in one sentence. */
const char *nccl_analyze_headline(const nccl_analyze_report *report);

/* The first function returns the number of findings, the second a value of one finding; root causes have the lowest
 * indices. `key` is "rule" (NCA301), "name" (net-plugin-failed), "severity" (error, warning, info), "place" (the ranks
 * or hosts to examine first), "message" or "fix" (Markdown). NULL if there is no such finding or key. Everything else
 * about findings, such as the consequences of a root cause, is in the JSON report. */
size_t nccl_analyze_finding_count(const nccl_analyze_report *report);
const char *nccl_analyze_finding(const nccl_analyze_report *report, size_t index, const char *key);

/* The first function returns the number of notices, the second one notice: "error: " or "warning: " and a sentence on
 * input that could not be read or was left out. NULL if there is no notice with this index. */
size_t nccl_analyze_notice_count(const nccl_analyze_report *report);
const char *nccl_analyze_notice(const nccl_analyze_report *report, size_t index);

/* Writes the report in one of the formats json, text, markdown, html, html-fragment (verdict and findings for the page
 * of another program), ranks, trace, junit, sarif, github, prometheus, otlp and dot. Sets *text to a new text,
 * which nccl_analyze_text_free() frees, and *size to its length in bytes without the zero at the end; `size` may be
 * NULL. An unknown format gives NCCL_ANALYZE_MISUSE. On failure *text is NULL. */
nccl_analyze_status nccl_analyze_render(const nccl_analyze_report *report, const char *format, char **text,
                                        size_t *size);
void nccl_analyze_text_free(char **text);

/* Makes copies of logs that can be posted. Only NCCL's own text, words of a fixed vocabulary, and forms that reveal
 * nothing are kept. Everything else is replaced by stand-ins; a name has the same stand-in in all sources. The analysis
 * of the copies is that of the logs, with stand-ins. A name that is a word of the vocabulary or a number of up to eight
 * digits may stay visible, so look the output over before you share it.
 *
 * The caller feeds the logs twice, because only a later line may show that a word is a name: each source to
 * nccl_analyze_redaction_survey(), then each again, in the same order, to nccl_analyze_redaction_rewrite(). Both take
 * bytes that are cut anywhere, and nccl_analyze_redaction_end() ends each source; sources must not alternate. Memory
 * holds the names, up to a million other words, and two bits for each line. nccl_analyze_text_free() frees the texts
 * that these functions return. Since API version 2. */
typedef struct nccl_analyze_redaction nccl_analyze_redaction;
/* `keep_other`: not 0 keeps the lines of other programs, redacted like all lines; 0 replaces each of them by
 * `# redacted`. Returns NULL if there is not enough memory. */
nccl_analyze_redaction *nccl_analyze_redaction_new(int keep_other);
void nccl_analyze_redaction_free(nccl_analyze_redaction **redaction);
/* Reads the table of an earlier redaction, so that names in it get the same stand-ins again. Must be called before the
 * second pass; fails if the text is no such table. */
nccl_analyze_status nccl_analyze_redaction_use(nccl_analyze_redaction *redaction, const char *table);
/* First pass. Fails with NCCL_ANALYZE_MISUSE if another source has not ended, or if the second pass has begun. `bytes`
 * may be NULL if `size` is 0. */
nccl_analyze_status nccl_analyze_redaction_survey(nccl_analyze_redaction *redaction, const char *source,
                                                  const void *bytes, size_t size);
/* Second pass. Sets *text to the redacted lines that the bytes complete, and *text_size to their size in bytes. */
nccl_analyze_status nccl_analyze_redaction_rewrite(nccl_analyze_redaction *redaction, const char *source,
                                                   const void *bytes, size_t size, char **text, size_t *text_size);
/* Ends the current source of either pass. In the second pass, sets *text to the redacted last line if that line has no
 * newline; otherwise *text is empty. */
nccl_analyze_status nccl_analyze_redaction_end(nccl_analyze_redaction *redaction, char **text, size_t *text_size);
/* Sets *text to the redacted name of a source, for the name of its output file. Begins the second pass; fails with
 * NCCL_ANALYZE_MISUSE if a source of the first pass has not ended. */
nccl_analyze_status nccl_analyze_redaction_name(nccl_analyze_redaction *redaction, const char *source, char **text);
/* Sets *text to the table of stand-ins and originals, as `redact --map` writes it. Whoever has it can undo the
 * redaction. Fails with NCCL_ANALYZE_MISUSE before the second pass. `text_size` may be NULL. */
nccl_analyze_status nccl_analyze_redaction_table(nccl_analyze_redaction *redaction, char **text, size_t *text_size);
/* Why the last call on this redaction did not return NCCL_ANALYZE_OK; see nccl_analyze_error(). */
const char *nccl_analyze_redaction_error(const nccl_analyze_redaction *redaction);

#ifdef __cplusplus
}
#endif

#endif
