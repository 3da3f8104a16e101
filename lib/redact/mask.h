#pragma once
// Masks what documents of other tools hold beside the values that are read: environment, arguments, annotations,
// source code. Letters and digits become x, the form of the document stays.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "redact/names.h"

namespace nccl_analyze::redact {

/// Masks a document of JSON that is given line by line, or one line of JSON that a collector wrote.
class JsonMask {
 public:
  /// What the JSON is.
  enum class Kind : unsigned char {
    document,  ///< The output of a tool: members that no reader reads are masked.
    manifest,  ///< Manifests, statuses and events of pods: only members that are read stay.
    log        ///< A line of a collector: only the log line itself, its time and stream, and names stay.
  };
  using TakeName = std::function<void(NameKind kind, std::string_view name)>;
  /// `take_name` is called for each name in a manifest.
  explicit JsonMask(Kind kind, TakeName take_name = {}) : kind_(kind), take_name_(std::move(take_name)) {}
  void mask(std::string& line);

 private:
  /// An open object or list.
  struct Level {
    bool is_masked = false;     ///< Whether all of its values are masked.
    bool has_name = false;      ///< Whether its member `name` stays.
    bool names_object = false;  ///< Whether its member `name` is the name of a pod or another object of Kubernetes.
    bool names_container = false;
    bool has_quantities = false;  ///< Whether its members are quantities of resources.
    bool has_settings = false;    ///< Whether it is `env`, or an entry of it.
  };
  void open_level();
  bool keeps(std::string_view key) const;
  void take_name(std::string_view text) const;
  /// Whether a member of an entry of `env` stays: `"name": "NCCL_DEBUG"`, and `"value": "INFO"` behind it.
  bool keeps_setting(std::string_view text);
  void read_string(std::string& line, std::size_t open, std::size_t end);

  Kind kind_;
  TakeName take_name_;
  std::string key_;  ///< The key that was read last.
  std::vector<Level> levels_ = {{}};
  std::size_t deeper_ = 0;              ///< Number of open objects and lists that are nested too deeply for `levels_`.
  bool is_setting_documented_ = false;  ///< Of the entry of `env` whose name was read last.
  bool in_string_ = false;              ///< Whether the last line ended within a string.
};

/// Whether a line is a whole document of manifests, statuses or events of pods in JSON.
bool is_manifest_in_json(std::string_view line);

}  // namespace nccl_analyze::redact
