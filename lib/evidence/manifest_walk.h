#pragma once
// Follows a reader of YAML or JSON through an object of Kubernetes and takes from it what is read.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/pod_manifest.h"

namespace nccl_analyze::evidence {

/// The way from the root of a document to the current value. The document is an object, or a list of them in `items`.
class ManifestWalk {
 public:
  explicit ManifestWalk(Facts& facts) : pod_(facts) {}
  /// Sets the list to which the next facts are added.
  void set_output(Facts& facts) { pod_.set_output(facts); }

  /// Goes on to the value of a key in the current object.
  void enter_member(std::string_view key) { enter(key, 0); }
  /// Goes on to the next item of the current list.
  void enter_item();
  /// Returns to the object or list around the current value.
  void leave();
  /// The number of keys and positions on the way.
  std::size_t depth() const { return depth_; }
  bool is_in_list() const { return !levels_.empty() && levels_.back().key == list_key; }
  /// Whether the current value, or a value in it, is read.
  bool is_read() const;

  /// Adds the current value, which is a scalar. `shown`: the line that shows it.
  void add(std::string_view value, const SourceQuote& shown);
  /// Records that a value could not be read: it is a template or an anchor, or nested too deep. If a value in it is
  /// needed, the pod spec counts as incomplete. `depth`: the number of keys and positions on the way to it; it is less
  /// than depth() if the current value is in it.
  void leave_out(std::size_t depth, const SourceQuote& shown);
  /// Ends the document. `shown`: its last line.
  void end(const SourceQuote& shown) { pod_.end(shown); }

 private:
  static constexpr std::string_view list_key = "*";
  struct Level {
    std::string key;
    int index = 0;       ///< Position in the list, for `list_key`.
    int items = 0;       ///< Number of list items below this key so far.
    std::size_t id = 0;  ///< Unique in the document.
  };

  void enter(std::string_view key, int index);
  /// The number of levels around the current object: 2 in `items`.
  std::size_t root() const;
  /// The number of levels up to the innermost pod spec around the current value; 0 if there is none.
  std::size_t pod_spec() const;
  /// The path in a pod spec to the value that the first `depth` levels lead to.
  std::string path(std::size_t spec, std::size_t depth) const;
  /// Begins a pod spec at the first of its values that is read.
  void begin_pod(std::size_t spec, const SourceQuote& shown);

  PodFacts pod_;
  std::vector<Level> levels_;
  std::size_t depth_ = 0;  ///< More than the number of levels if the current value is nested too deep.
  std::size_t ids_ = 0, spec_id_ = 0;
  QuotedValue kind_, name_, name_space_;
};

}  // namespace nccl_analyze::evidence
