// Recognises reports, summaries and news of this program by their first bytes, even if a JSON formatter has changed the
// white space.

#include "input/own_output.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

namespace nccl_analyze {
namespace {

/// How many bytes at the start of a source are examined: enough for the first two paragraphs of a report.
constexpr std::size_t compared_head = 16384;

/// The possible beginnings, after white space, of all output of this program, with and without colours.
constexpr std::array<std::string_view, 11> first_words{
    "{",           "<",     "ERROR  ", "WARNING  ",           "OK  ", "UNKNOWN  ", "SAME  ",
    "DIFFERENT  ", "\x1b[", "::",      "# HELP nccl_analyze_"};

/// The beginning of one output format. Every match of `pattern` contains `sign`. The search for `sign` comes first,
/// because it is cheap and rules out most inputs, which are logs.
struct Beginning {
  std::string_view sign;
  const char* pattern;
  std::string_view words;
  OwnOutput kind = OwnOutput::other;
};

constexpr std::array<Beginning, 18> beginnings{{
    {"nccl-analyze.summary", R"(^\s*{\s*"schema"\s*:\s*"nccl-analyze\.summary")",
     "a summary of logs: `nccl-analyze merge` reads it", OwnOutput::summary},
    {"nccl-analyze.report", R"(^\s*{\s*"schema"\s*:\s*"nccl-analyze\.report")", "a report of nccl-analyze",
     OwnOutput::report},
    {"nccl-analyze.brief", R"(^\s*{\s*"schema"\s*:\s*"nccl-analyze\.brief")", "a short report of nccl-analyze"},
    {"nccl-analyze.diff", R"(^\s*{\s*"schema"\s*:\s*"nccl-analyze\.diff")", "a difference of two runs"},
    {"nccl-analyze.expected-bandwidth", R"(^\s*{\s*"schema"\s*:\s*"nccl-analyze\.expected-bandwidth")",
     "what collectives can reach (expect-bandwidth)"},
    {"<!-- nccl-analyze", "^<!-- nccl-analyze diff -->", "a difference of two runs"},
    {"\u2502",
     R"(^(\x1b\[[\d;]*m)?(SAME|DIFFERENT)(\x1b\[0m)?  [^\n]+\n( +[^\n]+\n)*\n(\x1b\[[\d;]*m)? +\x{2502} old: )",
     "a difference of two runs"},
    {"{\"event\": ", R"(^{"event": "[a-z_]+", "source": \d+, "line": \d+, )", "a list of events (--format events)"},
    {"{\"news\": ", R"(^{"news": "[a-z]+", "time": )", "news of a job (--follow --news)"},
    {"\"traceEvents\"", R"(^\s*{\s*"traceEvents"\s*:)", "a trace of events (--format trace)"},
    {"<!-- nccl-analyze", "^<!-- nccl-analyze report -->", "a report of nccl-analyze"},
    {"<!doctype html>", R"(^<!doctype html>[^<]*(<[^>]*>\s*){2,8}<meta name="generator" content="nccl-analyze)",
     "a report of nccl-analyze"},
    {"<testsuites name=\"nccl-analyze\"", R"(^<\?xml[^>]*>\s*<testsuites name="nccl-analyze")",
     "a report of nccl-analyze (--format junit)"},
    {"sarif-schema-2.1.0.json",
     R"(^\s*{\s*"\$schema"\s*:\s*"[^"]*sarif-schema-2\.1\.0\.json"[^{]*{\s*"tool": {\s*"driver": {\s*"name": "nccl-analyze")",
     "a report of nccl-analyze (--format sarif)"},
    {"title=", R"(^::(error|warning|notice) (file=[^\n]*,)?title=(nccl-analyze|NCA\d+ [^\n]*)::)",
     "a report of nccl-analyze (--format github)"},
    {"# HELP nccl_analyze_", R"(^# HELP nccl_analyze_findings )", "a report of nccl-analyze (--format prometheus)"},
    {"\"resourceLogs\"",
     R"(^\s*{\s*"resourceLogs"\s*:\s*\[\s*{\s*"resource"\s*:\s*{\s*"attributes"\s*:\s*\[\s*{\s*)"
     R"("key"\s*:\s*"service\.name"\s*,\s*"value"\s*:\s*{\s*"stringValue"\s*:\s*"nccl-analyze")",
     "a report of nccl-analyze (--format otlp)"},
    // The text report, with or without colours: the verdict, the counts, and the section below them.
    {"\n\n",
     R"(^(\x1b\[[\d;]*m)?(ERROR|WARNING|OK|UNKNOWN)(\x1b\[0m)?  [^\n]+\n( +[^\n]+\n)*\n(\x1b\[[\d;]*m)?)"
     R"((Job(\x1b\[0m)?\n  |Acceptance: [^\n]+\n  |Checks(\x1b\[0m)?\n  |(ERROR|WARNING|INFO)(\x1b\[0m)?  NCA\d+ ))",
     "a report of nccl-analyze"},
}};

/// Returns the compiled pattern of a row of `beginnings`. All patterns are compiled once, when a sign is first found.
const RE2& compiled(std::size_t row) {
  static const auto patterns = [] {
    std::array<std::unique_ptr<const RE2>, beginnings.size()> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::make_unique<RE2>(beginnings[i].pattern, RE2::Quiet);
    return all;
  }();
  return *patterns[row];
}

}  // namespace

OwnOutputMatch own_output(std::string_view head) {
  head = head.substr(0, compared_head);
  const std::string_view text = head.substr(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
  if (std::ranges::none_of(first_words, [&](std::string_view word) { return text.starts_with(word); })) return {};
  for (std::size_t row = 0; row < beginnings.size(); ++row)
    if (head.find(beginnings[row].sign) != std::string_view::npos &&
        RE2::PartialMatch(re2::StringPiece(head.data(), head.size()), compiled(row)))
      return {beginnings[row].kind, beginnings[row].words};
  return {};
}

}  // namespace nccl_analyze
