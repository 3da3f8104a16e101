#pragma once
// Makes the first pass over a source: gathers its names, and decides which of its lines the analysis uses.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/evidence.h"
#include "evidence/json_document.h"
#include "nccl_analyze/parser.h"
#include "redact/gather.h"
#include "redact/mask.h"
#include "text/encoding.h"
#include "text/prefix.h"

namespace nccl_analyze::redact {

/// The lines of a source that the second pass keeps, with two bits for each line.
struct KeptLines {
  enum class Json : std::uint8_t { none, document, manifest };

  /// Lines of a manifest in YAML, which begin after `indent` bytes of decoration.
  struct Manifest {
    std::uint64_t first = 0, last = 0;
    std::size_t indent = 0;
  };

  std::vector<bool> kept;  ///< Indexed by the number of the line, from 1.
  std::vector<bool> own;   ///< Whether the message has only NCCL's own words and numbers; as long as `kept`.
  std::vector<Manifest> manifests;
  std::uint64_t bytes = 0;      ///< The size of the source.
  Json json = Json::none;       ///< What the source begins with.
  std::uint64_t json_last = 0;  ///< The last line of the JSON at the start. A log may follow after its newline.

  bool holds(std::uint64_t line) const { return line < kept.size() && kept[line]; }
  bool is_own(std::uint64_t line) const { return line < own.size() && own[line]; }
  void resize(std::uint64_t size) {
    kept.resize(size);
    own.resize(size);
  }
};

class Survey {
 public:
  /// `keep_other`: whether lines of other programs are kept, too.
  Survey(AddressTable& addresses, NameTable& names, bool keep_other);
  void feed(std::string_view bytes);
  KeptLines finish();

 private:
  /// Follows the documents of JSON that the source begins with.
  void read_json(std::string_view bytes);
  void read_text(std::string_view text);
  void end_line(bool has_newline);
  bool reads_runs();
  void read_run(std::string_view run);
  void remember_end_of_run();
  void read_lines_without_keyword();
  void read_line(std::string_view line);
  void read_line_of_run(std::string_view line, std::uint64_t number);
  std::string read_names(std::string text, std::uint64_t number);
  void read_manifest(std::string_view line, std::uint64_t number);
  void read_record(const Record& record);
  bool is_in_run(std::string_view text) const;
  std::string_view plain_line_of(const Record& record) const;
  void read_evidence(std::string_view text, std::uint64_t number);
  /// Keeps the lines from which a record at the line `place` was put together.
  void keep_pieces(const Record& record, std::uint64_t place);
  std::uint64_t current_line() const;
  void keep(std::uint64_t number);
  void keep(std::uint64_t number, std::string_view text);
  /// Returns the text of one of the last lines, which is valid until the next call; nothing for other lines.
  std::string_view text_of(std::uint64_t number);

  static constexpr std::uint64_t window = 64;  ///< A record may continue in this many lines after it.

  Gatherer gatherer_;
  bool keep_other_;
  KeptLines lines_;
  Decoder decoder_;
  /// One byte more than the parser reads of a line, so that the parser notices that a line is longer.
  static constexpr std::size_t longest_open = ParserLimits{}.max_line + 1;
  std::string open_;  ///< The beginning of a line whose end is not read yet.
  bool has_open_ = false;
  bool reads_runs_ = false;
  /// The last lines that were read one by one. The index is the number of the line, modulo `window`.
  std::vector<std::string> recent_;
  std::uint64_t last_ = 0;       ///< The number of the last line, or of the last one before the run.
  std::string_view run_;         ///< The lines that the parser reads together; empty if it reads one line.
  std::uint64_t run_first_ = 0;  ///< The number of its first line.
  /// The position of a line in the run.
  struct Cursor {
    std::uint64_t line = 0;
    std::size_t at = 0;
  };
  Cursor cursor_;
  std::string tail_;              ///< The last lines of the runs that were read; empty until the first run ends.
  std::uint64_t tail_first_ = 0;  ///< The number of the first line of `tail_`.
  std::string text_;              ///< The result of text_of().
  evidence::EvidenceReader evidence_;
  evidence::JsonSource json_;
  std::uint64_t newlines_ = 0;  ///< The number of newlines in the documents of JSON.
  JsonMask::TakeName take_name_;
  JsonMask manifest_;  ///< Reads the source while it may be a manifest in JSON.
  std::vector<RecordView> found_;
  Parser parser_;
};

/// Removes what the parser does not read from a line: escape sequences, NUL bytes and colour codes.
void strip_line(std::string& line);

}  // namespace nccl_analyze::redact
