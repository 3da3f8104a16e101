#pragma once
// Finds the output of other tools among the lines of a source, and turns it into facts.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  virtual std::size_t patience() const { return lines_far_apart; }
  static constexpr std::size_t lines_far_apart = 100'000;
  /// Whether its lines stand behind each other: the first line of another program, also a record of NCCL, ends it.
  virtual bool is_one_block() const { return false; }
  /// Whether it may turn out that the lines it took are no such document; they then go back to the log. Only a document
  /// of one block may do so.
  virtual bool may_be_void() const { return false; }
  virtual bool is_void() const { return false; }
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

/// Lines that belong to no document after all.
struct ReturnedLines {
  std::uint64_t first = 0, last = 0;  ///< Their numbers.
  std::string text;                   ///< Each with a newline.
};

/// Reads the documents of one source. Memory: what the open documents keep, which each reader bounds.
class EvidenceReader {
 public:
  /// Reads a line, which may belong to an open document or begin another. Returns whether it does. `number`: of the
  /// line in its source.
  bool read(std::string_view line, std::uint64_t number, Facts& facts);
  /// Ends the documents that a record of NCCL ends. The record was not given to read().
  void interrupt(Facts& facts);
  /// Ends the open documents.
  void finish(Facts& facts);
  /// Whether a document is open, so that read() must see the next line.
  bool waiting() const { return !open_.empty(); }
  /// Whether a document is open that the next record of NCCL ends.
  bool in_block() const { return !open_.empty() && open_.back().document->is_one_block(); }
  /// The name of the format of the document's line that was read last, and the bytes of decoration before that line.
  std::string_view format_name() const { return format_name_; }
  std::size_t indent() const { return indent_; }
  /// The lines that read() took before, and that the last call found to be no document. Their text is empty if there
  /// are none.
  ReturnedLines take_returned() { return std::exchange(returned_, {}); }

 private:
  struct Open {
    const Format* format = nullptr;
    std::unique_ptr<Document> document = {};
    std::string decoration = {};    ///< What stands before the first line, and with other numbers before the others.
    std::size_t foreign_lines = 0;  ///< Lines of others since the last line of the document.
    ReturnedLines held = {};        ///< The lines so far, of a document of one block.
  };

  bool continue_document(Open& open, std::string_view line, Facts& facts);
  bool begin_document(std::string_view line, Facts& facts);
  /// Gives a document its part of a line, from `start` on. Returns whether it belongs to the document.
  bool give(Open& open, std::string_view line, std::size_t start, Facts& facts);
  /// Begins the document whose first line holds a sign at `sign`. Returns where its lines begin; npos if there is none.
  std::size_t begin_at(std::size_t sign, std::string_view line, Facts& facts);
  /// Ends a document, whose lines return to the log if it is void.
  void end(Open& open, Facts& facts);
  void end_if(const auto& condition, Facts& facts);

  /// In the order in which they began. A document of lines that may be far apart stays open while others begin.
  std::vector<Open> open_;
  std::string_view format_name_;
  std::size_t indent_ = 0;
  std::uint64_t line_ = 0;
  ReturnedLines returned_;
};

}  // namespace nccl_analyze::evidence
