#pragma once
// Masks manifests in YAML, except the members that the analysis reads.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze::redact {

/// Masks a manifest line by line. The indentation determines to which keys a line belongs.
class YamlMask {
 public:
  /// Masks the next line, which begins after `indent` bytes of decoration.
  void mask(std::string& line, std::size_t indent);
  void clear() {
    open_.clear();
    is_setting_documented_ = false;
  }

 private:
  struct Key {
    std::size_t column = 0;
    std::string name;
  };
  void leave(std::size_t column);
  /// The key to whose value the next entry belongs.
  std::string_view parent() const;
  /// Whether the next entry is a name or a value in an entry of `env`.
  bool is_setting() const;
  /// Whether the next entry belongs to a key below which everything is masked.
  bool is_hidden() const;
  /// Masks `key: value`, or an item of a list. Returns the key, or nothing if there is none or it is masked.
  std::string_view mask_entry(char* begin, std::size_t size);
  /// Whether a value in an entry of `env` stays: `NCCL_DEBUG` as its name, and `INFO` as its value.
  bool keeps_setting(std::string_view key, std::string_view value);
  bool keeps(std::string_view key, std::string_view value) const;

  std::vector<Key> open_;               ///< The keys to which a line belongs, from the outermost on.
  bool is_setting_documented_ = false;  ///< Whether the last name in `env` is that of a documented setting.
};

}  // namespace nccl_analyze::redact
