#pragma once
// The first pass over a source: gathers its names and decides which lines the analysis uses.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/evidence.h"
#include "evidence/json_document.h"
#include "nccl_analyze/parser.h"
#include "redact/gather.h"
#include "redact/log_lines.h"
#include "redact/mask.h"
#include "text/prefix.h"

namespace nccl_analyze::redact {

/// Which lines of a source the second pass keeps, with one bit for each line.
struct KeptLines {
  enum class Json : std::uint8_t { none, document, manifest };

  /// Lines of a manifest in YAML, which begin behind `indent` bytes of decoration.
  struct Manifest {
    std::uint64_t first = 0, last = 0;
    std::size_t indent = 0;
  };

  std::vector<bool> kept;  ///< Indexed by the number of the line, which is counted from 1.
  std::vector<Manifest> manifests;
  std::uint64_t bytes = 0;      ///< Size of the source.
  Json json = Json::none;       ///< Whether the source begins with a document of JSON.
  std::uint64_t json_last = 0;  ///< The last line of that document; its newline may be followed by a log.

  bool holds(std::uint64_t line) const { return line < kept.size() && kept[line]; }
};

class Survey {
 public:
  /// `keep_other`: whether lines of other programs are kept too.
  Survey(AddressTable& addresses, NameTable& names, bool keep_other);
  void feed(std::string_view bytes);
  KeptLines finish();

 private:
  /// Follows the documents of JSON that the source begins with.
  void read_json(std::string_view bytes);
  void read_line(const LogLine& line);
  void read_manifest(std::string_view line, std::uint64_t number);
  void read_record(const Record& record);
  void read_evidence(std::string_view text, std::uint64_t number);
  /// Keeps the lines that a record at the line `place` was put together from.
  void keep_pieces(const Record& record, std::uint64_t place);
  void keep(std::uint64_t number);
  std::string_view text_of(std::uint64_t number) const;

  static constexpr std::uint64_t window = 64;  ///< Number of lines behind a record among which its continuation may be.

  Gatherer gatherer_;
  bool keep_other_;
  KeptLines lines_;
  LineCutter cutter_;
  std::vector<std::string> recent_;  ///< The last lines, by number modulo `window`.
  std::uint64_t last_ = 0;           ///< Number of the last line.
  evidence::EvidenceReader evidence_;
  evidence::JsonSource json_;
  std::uint64_t newlines_ = 0;  ///< Number of newlines in the documents of JSON.
  JsonMask::TakeName take_name_;
  JsonMask manifest_;  ///< Walks through the source while it may be a manifest in JSON.
  std::vector<RecordView> found_;
  Parser parser_;
};

/// A line as the parser reads it: without escape sequences, NUL bytes and colour codes.
void strip_line(std::string& line);

}  // namespace nccl_analyze::redact
