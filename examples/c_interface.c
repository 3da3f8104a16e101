/* Reads logs from C, prints the verdict and the findings, and writes the JSON report. usage: c_interface OUTPUT.json
 * PATH ... */

#include <nccl_analyze.h>
#include <stdio.h>

static void print_report(const nccl_analyze_report *report) {
  printf("%s: %s\n", nccl_analyze_verdict(report), nccl_analyze_headline(report));
  for (size_t i = 0; i < nccl_analyze_finding_count(report); ++i)
    printf("%s %s: %s\n", nccl_analyze_finding(report, i, "rule"), nccl_analyze_finding(report, i, "severity"),
           nccl_analyze_finding(report, i, "message"));
  for (size_t i = 0; i < nccl_analyze_notice_count(report); ++i)
    fprintf(stderr, "%s\n", nccl_analyze_notice(report, i));
}

/* Returns 0 when the file was written whole. */
static int write_json(const nccl_analyze_report *report, const char *path) {
  char *text = NULL;
  size_t size = 0;
  if (nccl_analyze_render(report, "json", &text, &size) != NCCL_ANALYZE_OK) return 1;
  FILE *file = fopen(path, "wb");
  int failed = file == NULL || fwrite(text, 1, size, file) != size;
  if (file != NULL && fclose(file) != 0) failed = 1;
  nccl_analyze_text_free(&text);
  return failed;
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: c_interface OUTPUT.json PATH ...\n");
    return 2;
  }
  nccl_analyze_analyzer *analyzer = nccl_analyze_new();
  nccl_analyze_report *report = NULL;
  int status = 2;
  if (nccl_analyze_read(analyzer, (const char *const *)arguments + 2, (size_t)count - 2) != NCCL_ANALYZE_OK ||
      nccl_analyze_finish(analyzer, &report) != NCCL_ANALYZE_OK) {
    fprintf(stderr, "c_interface: %s\n", nccl_analyze_error(analyzer));
  } else {
    print_report(report);
    status = write_json(report, arguments[1]) == 0 ? 0 : 2;
  }
  nccl_analyze_report_free(&report);
  nccl_analyze_free(&analyzer);
  return status;
}
