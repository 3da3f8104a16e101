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

/// Reads the output of one run of a tool, line by line. The readers of all formats derive from this class.
class Document {
 public:
  Document() = default;
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;
  virtual ~Document() = default;

  /// Reads a line without its newline. Appends its facts and returns whether the line belongs to the document; lines of
  /// other programs may stand between its lines.
  virtual bool read(std::string_view line, Facts& facts) = 0;
  /// Reads the beginning of a line up to the host of a record of NCCL, which may have run into the last word. Documents
  /// of programs that print a line in several steps override it. Returns whether it belongs to the document.
  virtual bool read_piece(std::string_view piece, Facts& facts) {
    static_cast<void>(piece), static_cast<void>(facts);
    return false;
  }
  /// Whether the last line that read() took ends the document.
  virtual bool ended() const = 0;
  /// Returns the maximum number of consecutive lines of other programs inside the document; one more ends the document.
  /// NCCL prints thousands of lines between the header of an nccl-tests table and its first row.
  virtual std::size_t max_foreign_lines() const { return lines_far_apart; }
  static constexpr std::size_t lines_far_apart = 100'000;
  /// Whether the lines of the document are consecutive. The first line of another program, including a record of NCCL,
  /// then ends the document.
  virtual bool is_one_block() const { return false; }
  /// Whether a later line may show that the lines so far are no document of this format; they are then returned to the
  /// log. True only for documents of one block.
  virtual bool may_be_rejected() const { return false; }
  /// Whether the lines so far are no document of this format.
  virtual bool is_rejected() const { return false; }
  /// Called when a document ends although ended() is false: the format has no last line, or that line is missing.
  virtual void finish(Facts& facts) { static_cast<void>(facts); }
  /// Sets the number and the text of the line for the next call of read().
  void set_line(std::uint64_t number, std::string_view text) {
    line_ = number;
    text_ = text;
  }

 protected:
  /// Quotes the current line. finish() must not call this, because it has no current line.
  SourceQuote here() const { return {line_, literal_line(text_, max_shown)}; }
  /// Quotes the current line or, if the line is too long, its bytes [begin, end).
  SourceQuote here(std::size_t begin, std::size_t end) const {
    return {line_, literal_piece(text_, begin, end, max_shown)};
  }

 private:
  std::uint64_t line_ = 0;
  std::string_view text_;
};

/// A format that is read line by line.
struct Format {
  std::string_view name;  ///< As reports name the format: `nccl-tests`.
  /// A text in the first line of a document. It must contain a keyword of lib/text/line_scan.cc; otherwise the parser
  /// skips the line.
  std::string_view sign;
  /// Returns a new document; null if `line` is no first line of this format. `line`: the line without its decoration.
  /// The caller then passes the same line to Document::read().
  std::unique_ptr<Document> (*begin)(std::string_view line);
  /// Returns the position in `line` at which the document begins; npos if the line is of another format. `sign`: the
  /// position of the sign. The text before the document is decoration, which all its lines have. If this function is
  /// null, the document begins at the sign.
  std::size_t (*start)(std::string_view line, std::size_t sign) = nullptr;
};

/// Lines that turned out to belong to no document.
struct ReturnedLines {
  std::uint64_t first = 0, last = 0;  ///< The numbers of the first and the last line.
  std::string text;                   ///< The lines, each with a newline.
};

/// Reads the documents of one source. Memory is bounded because each format bounds what its documents keep.
class EvidenceReader {
 public:
  /// Reads a line. Returns whether it belongs to an open document or begins another. `number`: the number of the line
  /// in its source.
  bool read(std::string_view line, std::uint64_t number, Facts& facts);
  /// Reads the text before a record of NCCL in a line, and the record's host. Returns whether the text belongs to an
  /// open document.
  bool read_piece(std::string_view piece, std::uint64_t number, Facts& facts);
  /// Ends the documents whose lines must be consecutive. Called for a line with a record of NCCL, which is not passed
  /// to read().
  void interrupt(Facts& facts);
  /// Ends the open documents.
  void finish(Facts& facts);
  /// Whether a document is open, so that read() must see the next line.
  bool waiting() const { return !open_.empty(); }
  /// Whether the document that began last is open, and a record of NCCL would end it.
  bool in_block() const { return !open_.empty() && open_.back().document->is_one_block(); }
  /// The format of the last line that belonged to a document, and the size of the decoration before that line. The
  /// format is empty for a line that is a whole JSON document.
  std::string_view format_name() const { return format_name_; }
  std::size_t indent() const { return indent_; }
  /// Returns the lines that earlier calls of read() took for a document, if the last call found that they are none. The
  /// text is empty if there are no such lines.
  ReturnedLines take_returned() { return std::exchange(returned_, {}); }

 private:
  struct Open {
    const Format* format = nullptr;
    std::unique_ptr<Document> document = {};
    std::string decoration = {};    ///< The decoration of the first line; its numbers may differ in other lines.
    std::size_t foreign_lines = 0;  ///< Number of lines of other programs since the document's last line.
    ReturnedLines held = {};        ///< The lines so far of a document that may be rejected.
  };

  using Reader = bool (Document::*)(std::string_view, Facts&);
  bool continue_document(Open& open, std::string_view line, Reader reader, Facts& facts);
  bool begin_document(std::string_view line, Facts& facts);
  /// Passes the part of a line from `start` on to a document. Returns whether the line belongs to the document.
  bool give(Open& open, std::string_view line, std::size_t start, Reader reader, Facts& facts);
  /// Begins the document whose first line has a sign at position `sign`. Ends open documents of the same format, and
  /// those whose lines are close together. Returns where the document begins in the line; npos if there is no document.
  std::size_t begin_at(std::size_t sign, std::string_view line, Facts& facts);
  /// Ends a document. If the document is rejected, adds its lines to `returned_`.
  void end(Open& open, Facts& facts);
  void end_if(const auto& condition, Facts& facts);

  /// The open documents in the order in which they began. A document whose lines may be far apart stays open while
  /// others begin.
  std::vector<Open> open_;
  std::string_view format_name_;
  std::size_t indent_ = 0;
  std::uint64_t line_ = 0;
  ReturnedLines returned_;
};

}  // namespace nccl_analyze::evidence
