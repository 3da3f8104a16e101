#include "evidence/evidence.h"

#include "evidence/formats.h"

namespace nccl_analyze::evidence {

namespace {

/// A document ends when so many lines of other programs follow its last line. NCCL prints thousands of lines between
/// the header of an nccl-tests table and its first row.
constexpr std::size_t max_foreign_lines = 100'000;

}  // namespace

bool EvidenceReader::read(std::string_view line, Facts& facts) {
  return (document_ && continue_document(line, facts)) || begin_document(line, facts);
}

bool EvidenceReader::continue_document(std::string_view line, Facts& facts) {
  const bool belongs = document_->read(line.substr(line.size() < indent_ ? 0 : indent_), facts);
  foreign_lines_ = belongs ? 0 : foreign_lines_ + 1;
  if (belongs && document_->ended()) document_.reset();
  if (foreign_lines_ > max_foreign_lines) finish(facts);
  return belongs;
}

bool EvidenceReader::begin_document(std::string_view line, Facts& facts) {
  if (line.starts_with('{')) return read_json_line(line, facts);
  for (const Format& format : line_formats()) {
    const std::size_t at = line.find(format.sign);
    if (at == std::string_view::npos) continue;
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
