#pragma once
// Makes facts from the values of a Kubernetes manifest, for the readers of YAML and of JSON.

#include <string>
#include <string_view>

#include "evidence/evidence.h"

namespace nccl_analyze::evidence {

/// A value, and the line that shows it.
struct QuotedValue {
  std::string text;
  SourceQuote shown;
};

/// Turns values of pod specs into facts. Values that no rule needs are dropped here, because environment variables,
/// annotations and others may be secret.
class PodFacts {
 public:
  explicit PodFacts(Facts& facts) : facts_(&facts) {}
  /// Sets the list to which the next facts are added.
  void set_output(Facts& facts) { facts_ = &facts; }

  /// Begins a pod spec. The arguments are values of the object that contains the spec; empty if they are not known yet.
  void begin(const QuotedValue& kind, const QuotedValue& name, const QuotedValue& name_space);
  void set_name(const QuotedValue& name);
  void set_name_space(const QuotedValue& name_space);
  /// Adds a scalar value. `path` is its place in the pod spec, with `*` for positions in lists:
  /// `containers/*/resources/limits/nvidia.com/gpu`. `outer` and `inner` are the first and the second position; -1 if
  /// there is none. Has no effect outside a pod spec.
  void add(std::string_view path, int outer, int inner, std::string_view value, const SourceQuote& shown);
  /// Records that the value at `path` could not be read: it is a template or an anchor, or nested too deep. If the
  /// value is needed, end() reports the pod spec as incomplete.
  void leave_out(std::string_view path);
  /// Ends the pod spec, if one began. `shown`: its last line.
  void end(const SourceQuote& shown);
  bool has_begun() const { return begun_; }

 private:
  void emit(std::string_view part, int index, std::string_view key, std::string_view value, const SourceQuote& shown);
  void add_mount(int container, int mount, std::string_view key, std::string_view value, const SourceQuote& shown);

  Facts* facts_;
  bool begun_ = false, complete_ = true;
  int container_ = -1, mount_ = -1;  ///< Positions of the mount that `volume_` and `mount_path_` describe.
  std::string volume_, mount_path_;
};

/// Whether values below this key of a pod spec are read.
bool is_read_in_pod_spec(std::string_view key);

}  // namespace nccl_analyze::evidence
