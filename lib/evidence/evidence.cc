#include "evidence/evidence.h"

#include <span>

#include "evidence/formats.h"
#include "text/line_scan.h"

namespace nccl_analyze::evidence {

namespace {

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
  const std::string_view own = line.substr(line.size() < indent_ ? 0 : indent_);
  document_->set_line(line_, own);
  const bool belongs = document_->read(own, facts);
  foreign_lines_ = belongs ? 0 : foreign_lines_ + 1;
  if (belongs && document_->ended()) document_.reset();
  if (document_ && foreign_lines_ > document_->patience()) finish(facts);
  return belongs;
}

bool EvidenceReader::begin_document(std::string_view line, Facts& facts) {
  if (line.starts_with('{') && read_json_line(line, line_, facts)) return true;
  const LineScan& scan = *line_scans().front();
  for (FoundWord found = scan.find(signs(), line, 0); found; found = scan.find(signs(), line, found.anchor + 1))
    if (begin_at(signs().begin_of(found), line, facts)) return continue_document(line, facts);
  return false;
}

bool EvidenceReader::begin_at(std::size_t sign, std::string_view line, Facts& facts) {
  for (const Format& format : line_formats()) {
    if (!line.substr(sign).starts_with(format.sign)) continue;
    const std::size_t start = format.start == nullptr ? sign : format.start(line, sign);
    std::unique_ptr<Document> begun = start > line.size() ? nullptr : format.begin(line.substr(start));
    if (!begun) continue;
    finish(facts);
    document_ = std::move(begun);
    indent_ = start;
    foreign_lines_ = 0;
    return true;
  }
  return false;
}

void EvidenceReader::finish(Facts& facts) {
  if (document_) document_->finish(facts);
  document_.reset();
}

}  // namespace nccl_analyze::evidence
