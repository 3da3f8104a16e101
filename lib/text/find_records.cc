// Finds the records of lines that are not plain (PlainLine), by their markers and levels.

#include <algorithm>
#include <cctype>

#include "text/digits.h"
#include "text/head.h"
#include "text/line_scan.h"
#include "text/message.h"
#include "text/prefix.h"

namespace nccl_analyze {

namespace {

struct LevelWord {
  std::string_view word;
  Level level;
};
// NCCLX prints the names of glog's levels.
constexpr LevelWord level_words[] = {{"INFO", Level::info},   {"WARN", Level::warn},    {"TRACE", Level::trace},
                                     {"CALL", Level::call},   {"ABORT", Level::abort},  {"DIAG", Level::diag},
                                     {"ATTN", Level::attn},   {"ERROR", Level::error},  {"CRITICAL", Level::error},
                                     {"FATAL", Level::error}, {"VERBOSE", Level::trace}};

/// Whether other programs also print `NCCL ` and this level, as in `NCCL ERROR: unhandled system error`.
bool needs_head(Level level) { return level == Level::error || level == Level::attn; }

const LevelWord* level_at(std::string_view rest) {
  if (rest.empty() || rest.front() < 'A' || rest.front() > 'Z') return nullptr;
  for (const LevelWord& entry : level_words)
    if (rest.starts_with(entry.word) &&
        (rest.size() == entry.word.size() || rest[entry.word.size()] == ' ' || rest[entry.word.size()] == '\r'))
      return &entry;
  return nullptr;
}

/// Returns the length of a version line without a prefix at the start of `text`; 0 if there is none. Before 2.22, and
/// at level VERSION, NCCL prints `NCCL version 2.27.3+cuda12.9` without a prefix; other programs quote this text in
/// their own lines.
std::size_t version_length(std::string_view text) {
  constexpr std::string_view introductions[] = {"NCCL version ", "RCCL version : ", "RCCL version ", "nccl=="};
  constexpr std::string_view compiled = " compiled with CUDA ";
  for (const std::string_view introduction : introductions) {
    if (!text.starts_with(introduction)) continue;
    const std::string_view rest = text.substr(introduction.size());
    if (rest.empty() || !is_digit(rest.front())) continue;
    const auto is_word = [rest](std::size_t at) {
      return at < rest.size() && std::isalnum(static_cast<unsigned char>(rest[at])) != 0;
    };
    const auto token_end = [&](std::size_t from) {
      while (is_word(from) ||
             (from < rest.size() && std::string_view{"+-._"}.find(rest[from]) != std::string_view::npos))
        ++from;
      return from;
    };
    std::size_t end = token_end(0);
    if (rest.substr(0, end).find('-') != std::string_view::npos && rest.substr(end).starts_with(':') &&
        is_word(end + 1))
      end = token_end(end + 1);  // the branch is followed by the commit: `2.21.5-HEAD:9a0e6a1`
    if (const std::size_t toolkit = rest.substr(0, end).find("+cuda"); toolkit != std::string_view::npos) {
      end = std::min(rest.find_first_not_of("0123456789.", toolkit + 5),
                     rest.size());            // the next record may follow without a blank
      if (end == toolkit + 5) end = toolkit;  // Bazel's builds print `+cudaCUDA_MAJOR.CUDA_MINOR`
    }
    const std::string_view version = rest.substr(0, end);
    if (version.find('.') == std::string_view::npos) continue;
    if (rest.substr(end).starts_with(compiled))
      end = token_end(end + compiled.size());
    else if (text.starts_with('R') && version.find("+hip") != std::string_view::npos)
      end = std::min(rest.find('\r'), rest.size());  // RCCL appends its branch and commit
    while (end > 0 && rest[end - 1] == '.') --end;
    return introduction.size() + end;
  }
  return 0;
}

/// Returns the part of `line` from `start` to `end`; empty if `end` is not after `start`.
std::string_view between(std::string_view line, std::size_t start, const char* end) {
  const auto stop = static_cast<std::size_t>(end - line.data());
  return line.substr(start, stop > start ? stop - start : 0);
}

/// Trims the message of a record, which extends to the next record or the end of the line, and sets the fields that
/// depend on the message's end. `last`: whether this is the last record of the line.
void end_record(std::string_view line, bool last, RecordView& record) {
  record.ended = last ? RecordEnd::line : RecordEnd::record;
  record.message = record.message.substr(0, record.message.find('\r'));
  if (last) {
    const std::string_view decoration = line.substr(0, record.start);
    if (decoration.find('\t') != std::string_view::npos)  // tab-separated columns
      record.message = record.message.substr(0, record.message.find('\t'));
    record.message = without_closing_quote(decoration, record.message);
  }
  const std::size_t size = record.message.size();
  record.message = trimmed_end(record.message);
  if (!last && record.message.size() < size) record.ended = RecordEnd::blank;
  if (record.level == Level::info && may_begin_with_location(record.message))
    read_location(record.message, record.origin.location);
  record.text = between(line, record.start, record.message.data() + record.message.size());
}

}  // namespace

void find_records(std::string_view line, std::vector<RecordView>& found) {
  const std::size_t first = found.size();
  std::size_t floor = 0;
  for (std::size_t marker = find_marker(line); marker != std::string_view::npos;
       marker = find_marker(line, marker + 5)) {
    const std::string_view rest = line.substr(marker + 5);
    const LevelWord* const entry = line[marker] == 'N' ? level_at(rest) : nullptr;
    // After the first record, a version line is part of a message, as in plain lines.
    const std::size_t version = entry == nullptr && found.size() == first ? version_length(line.substr(marker)) : 0;
    if (entry == nullptr && version == 0) continue;
    RecordView& record = found.emplace_back();
    if (entry != nullptr) {
      record.level = entry->level;
      record.message = rest.substr(std::min(rest.size(), entry->word.size() + 1));
      read_head(line, floor, marker, record);
      if (record.start == marker && needs_head(entry->level)) {
        found.pop_back();
        continue;
      }
      floor = marker + 5 + entry->word.size();
    } else {
      record.level = Level::version;
      record.start = marker;
      record.origin.timestamp = timestamp_before(line, floor, record.start);
      record.message = line.substr(marker, version);
      floor = marker + version;
    }
    if (found.size() < first + 2) continue;
    RecordView& before = found[found.size() - 2];
    if (before.level == Level::version) continue;
    const auto begin = static_cast<std::size_t>(before.message.data() - line.data());
    before.message = line.substr(begin, record.start > begin ? record.start - begin : 0);
  }
  for (std::size_t i = first; i < found.size(); ++i) end_record(line, i + 1 == found.size(), found[i]);
}

}  // namespace nccl_analyze
