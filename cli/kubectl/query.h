#pragma once
/// Selects pods and containers.

#include <re2/re2.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/kubectl/command_line.h"

namespace nccl_analyze::kubectl {

/// Whether `text` can be the name of a Kubernetes object or of a container (DNS-1123 subdomain). Such a name is a safe
/// argument and a safe name of a file.
bool is_name(std::string_view text);

/// A workload of a kind whose pods have no label that names it.
struct Workload {
  std::string kind;  ///< As kubectl takes it: `deployment`, `lws`, `job.batch.volcano.sh`.
  std::string name;
};

class Query {
 public:
  /// Throws Failure on an invalid kind or name, or a bad regular expression.
  explicit Query(const CommandLine& line);

  /// The label selectors to try in this order until one finds a pod; there are several if Kubernetes has renamed the
  /// label. An empty selector selects all pods of the namespace.
  const std::vector<std::string>& selectors() const { return selectors_; }
  /// The workload that owns the pods; null: the selectors find them.
  const Workload* workload() const { return workload_ ? &*workload_ : nullptr; }
  /// The name of the only pod of the query; empty: there is no such limit.
  const std::string& pod() const { return pod_; }
  bool has_pod(std::string_view name) const { return matches(pods_.get(), name); }
  bool has_container(std::string_view name) const { return matches(containers_.get(), name); }
  /// The query as messages name it: `job/llama`.
  const std::string& words() const { return words_; }

 private:
  static bool matches(const RE2* pattern, std::string_view name) {
    return pattern == nullptr || RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), *pattern);
  }

  void read_object(const std::string& kind, const std::string& name, const CommandLine& line);

  std::vector<std::string> selectors_;
  std::optional<Workload> workload_;
  std::string pod_;
  std::unique_ptr<RE2> pods_, containers_;  ///< Null matches every name.
  std::string words_;
};

}  // namespace nccl_analyze::kubectl
