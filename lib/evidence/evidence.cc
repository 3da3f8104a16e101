#include "evidence/evidence.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "evidence/formats.h"
#include "evidence/wording.h"
#include "text/blanks.h"
#include "text/decoration.h"
#include "text/line_scan.h"

namespace nccl_analyze::evidence {

namespace {

/// Returns the signs of all formats. One search finds any of them, so that the time for a line does not grow with the
/// number of formats.
const WordSet& signs() {
  static const WordSet words = [] {
    constexpr std::size_t anchor_size = 4;
    constexpr int buckets = 8;
    std::vector<Word> all;
    for (const Format& format : line_formats())
      all.push_back({format.sign, format.sign.substr(0, anchor_size), static_cast<int>(all.size()) % buckets});
    return WordSet(std::span<const Word>(all));
  }();
  return words;
}

/// Whether launchers and collectors print words like this one before a line: `[1,0]<stdout>:`, `2026-01-31T10:00:00Z`,
/// `stdout`, `F`, `worker-0:`, `trainer[12]:`.
bool is_decoration_word(std::string_view word) {
  constexpr std::string_view streams[] = {"stdout", "stderr", "F", "P", "|", "-", ">"};
  return std::ranges::find(streams, word) != std::end(streams) || word.find_first_of("[](){}<>0123456789") != word.npos;
}

/// Whether a document may begin after this text: an empty text, blanks, the mark of a list item, or decoration of a
/// launcher or collector. A sign in the middle of a sentence begins no document.
bool is_decoration(std::string_view text) {
  constexpr std::string_view tag_of_program = "]:";  // the end of syslog's tag, after a month, a time and a host
  const std::vector<std::string_view> words = words_of(text);
  return std::ranges::all_of(words, is_decoration_word) || words.back().ends_with(tag_of_program);
}

}  // namespace

bool EvidenceReader::read(std::string_view line, std::uint64_t number, Facts& facts) {
  line_ = number;
  bool belongs = false;
  for (Open& open : open_) ++open.foreign_lines;
  for (std::size_t i = open_.size(); i-- > 0 && !belongs;)
    belongs = continue_document(open_[i], line, &Document::read, facts);
  end_if(
      [](const Open& open) {
        return open.document->ended() || open.foreign_lines > open.document->max_foreign_lines();
      },
      facts);
  return belongs || begin_document(line, facts);
}

bool EvidenceReader::read_piece(std::string_view piece, std::uint64_t number, Facts& facts) {
  line_ = number;
  return std::ranges::any_of(open_,
                             [&](Open& open) { return continue_document(open, piece, &Document::read_piece, facts); });
}

bool EvidenceReader::continue_document(Open& open, std::string_view line, Reader reader, Facts& facts) {
  const std::string_view own = without_decoration_like(line, open.decoration);
  const bool is_decorated = open.decoration.empty() || own.data() != line.data();
  return (is_decorated || trimmed(line).empty()) && give(open, line, line.size() - own.size(), reader, facts);
}

bool EvidenceReader::give(Open& open, std::string_view line, std::size_t start, Reader reader, Facts& facts) {
  const std::string_view own = line.substr(start);
  open.document->set_line(line_, own);
  if (!(*open.document.*reader)(own, facts)) return false;
  open.foreign_lines = 0;
  format_name_ = open.format->name;
  indent_ = start;
  if (!open.document->may_be_rejected()) return true;
  if (open.held.text.empty()) open.held.first = line_;
  open.held.last = line_;
  open.held.text.append(line).append("\n");
  return true;
}

bool EvidenceReader::begin_document(std::string_view line, Facts& facts) {
  if (line.starts_with('{') && read_json_line(line, line_, facts)) {
    format_name_ = {};
    indent_ = 0;
    return true;
  }
  const LineScan& scan = *line_scans().front();
  for (FoundWord found = scan.find(signs(), line, 0); found; found = scan.find(signs(), line, found.anchor + 1)) {
    const std::size_t start = begin_at(signs().begin_of(found), line, facts);
    if (start > line.size()) continue;
    const bool belongs = give(open_.back(), line, start, &Document::read, facts);
    end_if([](const Open& open) { return open.document->ended(); }, facts);
    return belongs;
  }
  return false;
}

std::size_t EvidenceReader::begin_at(std::size_t sign, std::string_view line, Facts& facts) {
  for (const Format& format : line_formats()) {
    if (!line.substr(sign).starts_with(format.sign)) continue;
    const std::size_t start = format.start == nullptr ? sign : format.start(line, sign);
    if (start > line.size() || !is_decoration(line.substr(0, start))) continue;
    std::unique_ptr<Document> begun = format.begin(line.substr(start));
    if (!begun) continue;
    end_if(
        [&](const Open& open) {
          return open.format->begin == format.begin || open.document->max_foreign_lines() < Document::lines_far_apart;
        },
        facts);
    std::string decoration(line.substr(0, start));
    constexpr std::string_view list_mark = "- ";
    if (decoration.ends_with(list_mark)) decoration.replace(start - list_mark.size(), list_mark.size(), 2, ' ');
    open_.push_back({.format = &format, .document = std::move(begun), .decoration = std::move(decoration)});
    return start;
  }
  return std::string_view::npos;
}

void EvidenceReader::end_if(const auto& condition, Facts& facts) {
  for (Open& open : open_)
    if (condition(open)) end(open, facts);
  std::erase_if(open_, [](const Open& open) { return open.document == nullptr; });
}

void EvidenceReader::end(Open& open, Facts& facts) {
  if (!open.document->ended()) open.document->finish(facts);
  if (open.document->is_rejected()) {
    if (returned_.text.empty()) returned_.first = open.held.first;
    returned_.last = open.held.last;
    returned_.text += open.held.text;
  }
  open.document.reset();
}

void EvidenceReader::interrupt(Facts& facts) {
  end_if([](const Open& open) { return open.document->is_one_block(); }, facts);
}

void EvidenceReader::finish(Facts& facts) {
  end_if([](const Open&) { return true; }, facts);
}

}  // namespace nccl_analyze::evidence
