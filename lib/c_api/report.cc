// The functions of nccl_analyze.h that take a report.

#include "c_api/report.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <sstream>
#include <utility>
#include <variant>

#include "c_api/border.h"
#include "nccl_analyze.h"
#include "nccl_analyze/compare.h"
#include "nccl_analyze/report.h"
#include "report/diff/words.h"
#include "report/sentences/verdict.h"
#include "report/sentences/words.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

/// Escapes unprintable characters in a text, except line breaks.
std::string visible_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    result += visible(text.substr(0, size));
    if (size < text.size()) result += '\n';
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return result;
}

FindingTexts texts_of(const Model& model, const Finding& finding) {
  const RuleInfo& rule = *finding.rule;
  return {visible(rule.id),
          visible(rule.name),
          std::string(to_string(finding.severity())),
          visible(describe_place(model, finding)),
          visible(finding.message),
          visible_lines(fix_of(finding))};
}

void set_texts(nccl_analyze_report& report, const Analysis& analysis) {
  const auto& [model, found, verdict, site] = analysis;
  report.verdict = to_string(verdict.status);
  report.outcome = to_string(verdict.outcome);
  report.headline = visible(verdict.headline);
  for (const Finding& finding : found.findings) report.findings.push_back(texts_of(model, finding));
}

void set_texts(nccl_analyze_report& report, const RunDiff& diff) {
  report.verdict = diff.same() ? "same" : "different";
  report.headline = visible(describe_diff(diff));
}

bool write_as(std::ostream& out, std::string_view format, const Analysis& analysis) {
  return write(out, format, analysis.model, analysis.report);
}

bool write_as(std::ostream& out, std::string_view format, const RunDiff& diff) {
  if (format == "text")
    write_diff_text(out, diff);
  else if (format == "json")
    write_diff_json(out, diff);
  else if (format == "markdown")
    write_diff_markdown(out, diff);
  else if (format == "html")
    write_diff_html(out, diff);
  else
    return false;
  return true;
}

}  // namespace

std::unique_ptr<nccl_analyze_report> new_report(Judged judged) {
  auto report = std::make_unique<nccl_analyze_report>();
  report->judged = std::move(judged);
  std::visit([&](const auto& content) { set_texts(*report, content); }, report->judged.content);
  return report;
}

}  // namespace nccl_analyze

using nccl_analyze::finding_keys;

void nccl_analyze_report_free(nccl_analyze_report** report) {
  if (report != nullptr) delete std::exchange(*report, nullptr);
}

const char* nccl_analyze_verdict(const nccl_analyze_report* report) {
  return report == nullptr ? "" : report->verdict.c_str();
}

const char* nccl_analyze_outcome(const nccl_analyze_report* report) {
  return report == nullptr ? "" : report->outcome.c_str();
}

const char* nccl_analyze_headline(const nccl_analyze_report* report) {
  return report == nullptr ? "" : report->headline.c_str();
}

size_t nccl_analyze_finding_count(const nccl_analyze_report* report) {
  return report == nullptr ? 0 : report->findings.size();
}

const char* nccl_analyze_finding(const nccl_analyze_report* report, size_t index, const char* key) {
  if (key == nullptr || index >= nccl_analyze_finding_count(report)) return nullptr;
  const auto* const found = std::ranges::find(finding_keys, std::string_view(key));
  if (found == finding_keys.end()) return nullptr;
  return report->findings[index][static_cast<std::size_t>(found - finding_keys.begin())].c_str();
}

size_t nccl_analyze_notice_count(const nccl_analyze_report* report) {
  return report == nullptr ? 0 : report->judged.notices.size();
}

const char* nccl_analyze_notice(const nccl_analyze_report* report, size_t index) {
  return index < nccl_analyze_notice_count(report) ? report->judged.notices[index].c_str() : nullptr;
}

nccl_analyze_status nccl_analyze_render(const nccl_analyze_report* report, const char* format, char** text,
                                        size_t* size) {
  if (text == nullptr) return NCCL_ANALYZE_MISUSE;
  *text = nullptr;
  if (report == nullptr || format == nullptr) return NCCL_ANALYZE_MISUSE;
  try {
    std::ostringstream out;
    out.exceptions(std::ios::badbit);  // A stream otherwise swallows std::bad_alloc, and the text is cut.
    const auto write = [&](const auto& content) { return nccl_analyze::write_as(out, format, content); };
    if (!std::visit(write, report->judged.content)) return NCCL_ANALYZE_MISUSE;
    nccl_analyze::give_text(out.view(), text, size);
    return NCCL_ANALYZE_OK;
  } catch (const std::bad_alloc&) {
    return NCCL_ANALYZE_NO_MEMORY;
  } catch (...) {
    return NCCL_ANALYZE_FAILED;
  }
}

void nccl_analyze_text_free(char** text) {
  if (text != nullptr) std::free(std::exchange(*text, nullptr));
}
