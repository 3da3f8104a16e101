#include "evidence/evidence.h"

#include <span>

#include "evidence/formats.h"
#include "text/line_scan.h"

namespace nccl_analyze::evidence {

namespace {

/// A document ends when so many lines of other programs follow its last line. NCCL prints thousands of lines between
/// the header of an nccl-tests table and its first row.
constexpr std::size_t max_foreign_lines = 100'000;

/// The signs of all formats, as a set to search for: a format must not cost time on lines that are none of its own.
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

}  // namespace

bool EvidenceReader::read(std::string_view line, std::uint64_t number, Facts& facts) {
  line_ = number;
  return (document_ && continue_document(line, facts)) || begin_document(line, facts);
}

bool EvidenceReader::continue_document(std::string_view line, Facts& facts) {
  document_->set_line(line_);
  const bool belongs = document_->read(line.substr(line.size() < indent_ ? 0 : indent_), facts);
  foreign_lines_ = belongs ? 0 : foreign_lines_ + 1;
  if (belongs && document_->ended()) document_.reset();
  if (foreign_lines_ > max_foreign_lines) finish(facts);
  return belongs;
}

bool EvidenceReader::begin_document(std::string_view line, Facts& facts) {
  if (line.starts_with('{') && read_json_line(line, facts)) return true;
  const FoundWord found = line_scans().front()->find(signs(), line, 0);
  if (!found) return false;
  const std::size_t at = signs().begin_of(found);
  for (const Format& format : line_formats()) {
    if (!line.substr(at).starts_with(format.sign)) continue;
    std::unique_ptr<Document> begun = format.begin(line.substr(at));
    if (!begun) continue;
    finish(facts);
    document_ = std::move(begun);
    indent_ = at;
    foreign_lines_ = 0;
    return continue_document(line, facts);
  }
  return false;
}

void EvidenceReader::finish(Facts& facts) {
  if (document_) document_->finish(facts);
  document_.reset();
}

}  // namespace nccl_analyze::evidence
