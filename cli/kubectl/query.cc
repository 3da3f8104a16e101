// Turns the words of the command line into label selectors and regular expressions.

#include "cli/kubectl/query.h"

#include <algorithm>
#include <array>

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

std::vector<std::string> selectors_of(std::string_view kind, const std::string& name, const std::string& given) {
  std::vector<std::string> selectors;
  for (const Kind& known : kinds)
    if (known.name == kind) selectors.push_back(joined(std::string(known.label) + "=" + name, given));
  if (selectors.empty())
    throw Failure("a query of kind " + std::string(kind) +
                  "/ is unknown: job/, jobset/, mpijob/, pytorchjob/, a regular expression, or -l LABELS");
  constexpr std::size_t longest = 63;  // limit on the value of a label
  if (!is_name(name) || name.size() > longest) throw Failure(name + " cannot be the name of a " + std::string(kind));
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
    selectors_ = selectors_of(line.query.substr(0, slash), line.query.substr(slash + 1), line.selector);
  else
    pods_ = pattern_of(line.query, "the query");
}

}  // namespace nccl_analyze::kubectl
