// Turns the words of the command line into label selectors and regular expressions.

#include "cli/kubectl/query.h"

#include <algorithm>
#include <array>
#include <utility>

#include "input/failure.h"

namespace nccl_analyze::kubectl {

namespace {

/// A kind of workload, and the label of its pods whose value is the name of the workload. A kind whose label was
/// renamed has several rows, the newest label first.
struct Kind {
  std::string_view name, label;
};
constexpr std::array<Kind, 5> kinds{{{"job", "batch.kubernetes.io/job-name"},
                                     {"job", "job-name"},
                                     {"jobset", "jobset.sigs.k8s.io/jobset-name"},
                                     {"mpijob", "training.kubeflow.org/job-name"},
                                     {"pytorchjob", "training.kubeflow.org/job-name"}}};

std::unique_ptr<RE2> pattern_of(const std::string& text, const std::string& what) {
  if (text.empty()) return nullptr;
  auto pattern = std::make_unique<RE2>(text, RE2::Quiet);
  if (!pattern->ok()) throw Failure(what + " " + text + " is no regular expression: " + pattern->error());
  return pattern;
}

std::string joined(const std::string& one, const std::string& other) {
  return one.empty() || other.empty() ? one + other : one + "," + other;
}

/// Returns the selectors of a kind whose pods have a label with its name; empty if there is none.
std::vector<std::string> selectors_of(std::string_view kind, const std::string& name, const std::string& given) {
  std::vector<std::string> selectors;
  for (const Kind& known : kinds)
    if (known.name == kind) selectors.push_back(joined(std::string(known.label) + "=" + name, given));
  return selectors;
}

}  // namespace

bool is_name(std::string_view text) {
  constexpr std::size_t longest = 253;
  const auto is_inner = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.'; };
  const auto is_outer = [](char c) { return c != '-' && c != '.'; };
  return !text.empty() && text.size() <= longest && std::ranges::all_of(text, is_inner) && is_outer(text.front()) &&
         is_outer(text.back());
}

Query::Query(const CommandLine& line)
    : selectors_{line.selector},
      containers_(pattern_of(line.container, "--container")),
      words_(line.query.empty() ? "-l " + line.selector : line.query) {
  if (!line.name_space.empty() && !is_name(line.name_space))
    throw Failure(line.name_space + " cannot be the name of a namespace");
  if (const std::size_t slash = line.query.find('/'); slash != std::string::npos)
    read_object(line.query.substr(0, slash), line.query.substr(slash + 1), line);
  else
    pods_ = pattern_of(line.query, "the query");
}

void Query::read_object(const std::string& kind, const std::string& name, const CommandLine& line) {
  if (!is_name(kind)) throw Failure("a query KIND/NAME begins with a kind as kubectl takes it, not with " + kind + "/");
  constexpr std::size_t longest = 63;  // limit on the value of a label
  std::vector<std::string> selectors = selectors_of(kind, name, line.selector);
  if (!is_name(name) || (!selectors.empty() && name.size() > longest))
    throw Failure(name + " cannot be the name of a " + kind);
  if (!selectors.empty()) {
    selectors_ = std::move(selectors);
  } else if (kind == "pod" || kind == "pods" || kind == "po") {
    pod_ = name;
  } else if (line.all_namespaces) {
    throw Failure("-A does not go with " + line.query + ": name the namespace with -n");
  } else {
    workload_ = {.kind = kind, .name = name};
  }
}

}  // namespace nccl_analyze::kubectl
