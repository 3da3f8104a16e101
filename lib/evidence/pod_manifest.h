#pragma once
// The facts of a Kubernetes manifest, which its YAML and its JSON share.

#include <string>
#include <string_view>

#include "evidence/evidence.h"

namespace nccl_analyze::evidence {

/// A value, and the line that shows it.
struct ShownText {
  std::string text;
  Shown shown;
};

/// Turns the values of pod specs into facts. All other values, among them environment variables and annotations, may be
/// secret and are dropped here.
class PodFacts {
 public:
  explicit PodFacts(Facts& facts) : facts_(&facts) {}
  /// Sets where the next facts go.
  void turn_to(Facts& facts) { facts_ = &facts; }

  /// Begins a pod spec. The values are those of the object that holds the spec; empty: not known yet.
  void begin(const ShownText& kind, const ShownText& name, const ShownText& name_space);
  void set_name(const ShownText& name);
  void set_name_space(const ShownText& name_space);
  /// Adds a scalar value. `path` is its place in the pod spec, with `*` for positions in lists:
  /// `containers/*/resources/limits/nvidia.com/gpu`. `outer` and `inner` are the first and the second position.
  void add(std::string_view path, int outer, int inner, std::string_view value, const Shown& shown);
  /// Notes that the value at `path` could not be read (a template, an anchor, too deep), so that end() does not claim
  /// that the pod spec was read in full.
  void leave_out(std::string_view path);
  /// Ends the pod spec, if one began. `shown`: its last line.
  void end(const Shown& shown);
  bool has_begun() const { return begun_; }

 private:
  void emit(std::string_view part, int index, std::string_view key, std::string_view value, const Shown& shown);
  void add_mount(int container, int mount, std::string_view key, std::string_view value, const Shown& shown);

  Facts* facts_;
  bool begun_ = false, complete_ = true;
  int container_ = -1, mount_ = -1;  ///< The mount that the next two members describe.
  std::string volume_, mount_path_;
};

/// Whether the first part of a path in a pod spec leads to values that are read.
bool is_read_in_pod_spec(std::string_view key);

}  // namespace nccl_analyze::evidence
