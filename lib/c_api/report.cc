// The functions of nccl_analyze.h that take a report.

#include "c_api/report.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sstream>
#include <utility>

#include "nccl_analyze.h"
#include "nccl_analyze/report.h"
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

/// Returns a copy of the text with a zero at its end, which std::free() frees. Throws std::bad_alloc.
char* copy_for_c(std::string_view text) {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

}  // namespace

std::unique_ptr<nccl_analyze_report> new_report(Judged judged) {
  auto report = std::make_unique<nccl_analyze_report>();
  report->judged = std::move(judged);
  const auto& [model, found, verdict, site] = report->judged.analysis;
  report->verdict = to_string(verdict.status);
  report->outcome = to_string(verdict.outcome);
  report->headline = visible(verdict.headline);
  for (const Finding& finding : found.findings) report->findings.push_back(texts_of(model, finding));
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
    const auto& [model, found, verdict, site] = report->judged.analysis;
    if (!nccl_analyze::write(out, format, model, found)) return NCCL_ANALYZE_MISUSE;
    const std::string_view written = out.view();
    *text = nccl_analyze::copy_for_c(written);
    if (size != nullptr) *size = written.size();
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
