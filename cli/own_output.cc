// A table of how the writers of lib/report begin, whatever spaces a formatter of JSON put in.

#include "own_output.h"

#include <re2/re2.h>

#include <array>
#include <utility>

namespace nccl_analyze {
namespace {

constexpr std::array<std::pair<const char*, std::string_view>, 6> beginnings{{
    {R"(\s*{\s*"schema"\s*:\s*"nccl-analyze\.summary")", "a summary of logs: `nccl-analyze merge` reads it"},
    {R"(\s*{\s*"schema"\s*:\s*"nccl-analyze\.report")", "a report of nccl-analyze"},
    {R"({"event": "[a-z_]+", "source": \d+, "line": \d+, )", "a list of events (--format events)"},
    {"<!-- nccl-analyze report -->", "a report of nccl-analyze"},
    {R"(<!doctype html>[^<]*(<[^>]*>\s*){2,8}<meta name="generator" content="nccl-analyze)",
     "a report of nccl-analyze"},
    // The verdict, what was counted, and what stands below it; in colours too.
    {R"((\x1b\[[\d;]*m)?(ERROR|WARNING|OK|UNKNOWN)(\x1b\[0m)?  [^\n]+\n( +[^\n]+\n)*\n(\x1b\[[\d;]*m)?)"
     R"((Job(\x1b\[0m)?\n  |Checks(\x1b\[0m)?\n  |(ERROR|WARNING|INFO)(\x1b\[0m)?  NCA\d+ ))",
     "a report of nccl-analyze"},
}};

}  // namespace

std::string_view own_output(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || std::string_view{"{<EWOU\x1b"}.find(head[first]) == std::string_view::npos)
    return {};
  for (const auto& [pattern, words] : beginnings)
    if (RE2::PartialMatch(re2::StringPiece(head.data(), head.size()), RE2(std::string("^") + pattern, RE2::Quiet)))
      return words;
  return {};
}

}  // namespace nccl_analyze
