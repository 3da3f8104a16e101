#pragma once
// Masks JSON documents, except the members that the analysis reads: environment, arguments, annotations and source code
// become x. The structure of the document stays.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/manifest_keys.h"
#include "redact/names.h"

namespace nccl_analyze::redact {

/// Masks a document that is given line by line, or one line of JSON that a log collector wrote.
class JsonMask {
 public:
  /// What the JSON is.
  enum class Kind : unsigned char {
    document,  ///< The output of a tool. Members that the analysis never needs are masked.
    manifest,  ///< Manifests, statuses and events of pods. Only the members that are read stay.
    log        ///< A line of a log collector. Only the log line, its time and stream, and names stay.
  };
  using TakeName = std::function<void(NameKind kind, std::string_view name)>;
  /// `take_name`, if it is set, is called for each name in a manifest.
  explicit JsonMask(Kind kind, TakeName take_name = {}) : kind_(kind), take_name_(std::move(take_name)) {}
  void mask(std::string& line);

 private:
  /// An object or a list that has begun and not ended.
  struct Level {
    /// The key of the innermost object, or of the list that contains the object; and the key of its last list.
    std::string key, list_key;
    bool is_masked = false;     ///< Whether all of its values are masked.
    bool has_settings = false;  ///< Whether it is `env`, or an entry of it.
  };
  void open_level(bool is_list);
  /// Whether the value of a key stays, in other JSON than manifests.
  bool keeps(std::string_view key) const;
  /// Whether the digits of a number are masked.
  bool masks_number() const;
  void take_name(const evidence::ManifestKey& key, std::string_view text) const;
  void read_manifest_value(std::string& line, std::size_t open, std::size_t end);
  /// Whether a string in an entry of `env` stays: `NCCL_DEBUG` as its name, and `INFO` as its value.
  bool keeps_setting(std::string_view text);
  void read_string(std::string& line, std::size_t open, std::size_t end);

  Kind kind_;
  TakeName take_name_;
  std::string key_;  ///< The key that was read last.
  std::vector<Level> levels_ = {{}};
  std::size_t deeper_ = 0;              ///< How many open objects and lists are nested too deeply for `levels_`.
  bool is_setting_documented_ = false;  ///< Whether the last name in `env` is that of a documented setting.
  bool in_string_ = false;              ///< Whether the last line ended within a string.
};

/// Whether a line looks like a complete JSON document with the manifest, status or events of pods.
bool is_manifest_in_json(std::string_view line);

}  // namespace nccl_analyze::redact
