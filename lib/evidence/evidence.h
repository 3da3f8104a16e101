#pragma once
// Finds the output of other tools among the lines of a source, and turns it into facts.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "evidence/fact.h"
#include "text/literal.h"

namespace nccl_analyze::evidence {

/// The output of one run of a tool, read line by line. The reader of each format derives from it.
class Document {
 public:
  Document() = default;
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;
  virtual ~Document() = default;

  /// Reads a line without its newline. Appends its facts and returns whether the line belongs to the document; lines of
  /// other programs may stand between its lines.
  virtual bool read(std::string_view line, Facts& facts) = 0;
  /// Whether the last line that read() took ends the document.
  virtual bool ended() const = 0;
  /// The document ends when more lines of other programs follow its last line. NCCL prints thousands of lines between
  /// the header of an nccl-tests table and its first row.
  virtual std::size_t patience() const { return 100'000; }
  /// Ends a document whose last line is unknown or missing.
  virtual void finish(Facts& facts) { static_cast<void>(facts); }
  /// Sets the number and the text of the line that read() is given next.
  void set_line(std::uint64_t number, std::string_view text) {
    line_ = number;
    text_ = text;
  }

 protected:
  /// The line that is read. Not for finish(), which is called without a line.
  Shown here() const { return {line_, literal_line(text_, max_shown)}; }
  /// Bytes [begin, end) of the line that is read, if the line is too long to be quoted.
  Shown here(std::size_t begin, std::size_t end) const { return {line_, literal_piece(text_, begin, end, max_shown)}; }

 private:
  std::uint64_t line_ = 0;
  std::string_view text_;
};

/// A format that is read line by line.
struct Format {
  std::string_view name;  ///< As reports name the format: `nccl-tests`.
  /// Words of a first line. Each must hold a keyword of lib/text/line_scan.cc, or the parser skips the line.
  std::string_view sign;
  /// The document that begins with `line`, a line from the sign on; null when the line is of another format. read() is
  /// then called with this line.
  std::unique_ptr<Document> (*begin)(std::string_view line);
  /// Where the document's lines begin, for a first line that holds the sign at `sign`; what stands before is
  /// decoration, which all its lines have. npos: the line is of another format. Null: the lines begin at the sign.
  std::size_t (*start)(std::string_view line, std::size_t sign) = nullptr;
};

/// Reads the documents of one source. Memory: what the open document keeps, which each reader bounds.
class EvidenceReader {
 public:
  /// Reads a line, which may belong to the open document or begin another. Returns whether it does. `number`: of the
  /// line in its source.
  bool read(std::string_view line, std::uint64_t number, Facts& facts);
  /// Ends the open document, if there is one.
  void finish(Facts& facts);
  /// Whether a document is open, so that read() must see the next line.
  bool waiting() const { return document_ != nullptr; }
  /// Bytes of decoration before each line of the open or last document.
  std::size_t indent() const { return indent_; }

 private:
  bool continue_document(std::string_view line, Facts& facts);
  bool begin_document(std::string_view line, Facts& facts);
  /// Begins the document whose first line holds a sign at `sign`. Whether there is one.
  bool begin_at(std::size_t sign, std::string_view line, Facts& facts);

  std::unique_ptr<Document> document_;
  std::size_t indent_ = 0;
  std::uint64_t line_ = 0;
  std::size_t foreign_lines_ = 0;  ///< Lines of others since the last line of the open document.
};

}  // namespace nccl_analyze::evidence
