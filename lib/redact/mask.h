#pragma once
// Masks what documents of other tools hold beside the values that are read: environment, arguments, annotations,
// source code. Letters and digits become x, the form of the document stays.

#include <cstddef>
#include <string>
#include <vector>

namespace nccl_analyze::redact {

/// Masks a document of JSON that is given line by line, or one line of JSON that a collector wrote.
class JsonMask {
 public:
  /// What the JSON is.
  enum class Kind : unsigned char {
    document,  ///< The output of a tool: members that no reader reads are masked.
    manifest,  ///< A pod manifest: only members that are read stay.
    log        ///< A line of a collector: only the log line itself, its time and stream, and names stay.
  };
  explicit JsonMask(Kind kind) : kind_(kind) {}
  void mask(std::string& line);

 private:
  bool keeps(std::string_view key) const;
  void read_string(std::string& line, std::size_t open, std::size_t end);

  Kind kind_;
  std::string key_;                  ///< The last key.
  std::vector<bool> masked_{false};  ///< For each open object and list: whether all in it is masked.
  std::size_t deeper_ = 0;           ///< Objects and lists beyond the deepest that is kept track of.
  bool in_string_ = false;           ///< Whether a string goes on in the next line.
};

/// Masks a line of a pod manifest in YAML, which begins behind `indent` bytes of decoration.
void mask_manifest_line(std::string& line, std::size_t indent);

}  // namespace nccl_analyze::redact
