// Paths are compared by their ends, because stores nest the keys of collectors or add a prefix to them:
// `kubernetes.pod_name`.

#include "text/json_fields.h"

#include <algorithm>
#include <array>
#include <span>

namespace nccl_analyze {

namespace {

constexpr std::size_t max_field = 256;  // bytes

constexpr std::array<std::string_view, 5> pod_paths = {"pod_name", "pod.name", "podName", "PodName", "pod"};
constexpr std::array<std::string_view, 4> container_paths = {"container_name", "container.name", "containerName",
                                                             "container"};
constexpr std::array<std::string_view, 9> time_paths = {
    "time", "timestamp", "@timestamp", "ts", "_time", "Timestamp", "date", "timeUnixNano", "TimeGenerated"};
constexpr std::array<std::string_view, 12> line_paths = {"log",  "message",          "msg",     "MESSAGE",
                                                         "line", "textPayload",      "_msg",    "Body",
                                                         "body", "body.stringValue", "Message", "LogMessage"};

/// Whether the path is one of `paths`, or ends with a dot and one of them.
bool ends_in(std::string_view path, std::span<const std::string_view> paths) {
  return std::ranges::any_of(paths, [path](std::string_view one) {
    return path.ends_with(one) && (path.size() == one.size() || path[path.size() - one.size() - 1] == '.');
  });
}

/// Returns the pod in the name of a CloudWatch log stream:
/// `NODE.application.var.log.containers.POD_NAMESPACE_CONTAINER.log`. Returns any other name unchanged.
std::string_view pod_of_stream(std::string_view name) {
  constexpr std::string_view containers = "containers.";
  const std::size_t at = name.find(containers);
  if (at == std::string_view::npos) return name;
  name.remove_prefix(at + containers.size());
  return name.substr(0, name.find('_'));
}

}  // namespace

bool is_line_path(std::string_view path) { return ends_in(path, line_paths); }

bool is_time_path(std::string_view path) { return ends_in(path, time_paths); }

bool is_epoch(std::string_view text) {
  constexpr std::size_t digits_of_seconds = 10;
  return text.size() >= digits_of_seconds && text.find_first_not_of("0123456789.") == std::string_view::npos;
}

std::string as_time(std::string_view text) {
  constexpr std::size_t digits = 16;
  std::string made(text);
  if (!is_epoch(text)) return made;
  std::erase(made, '.');
  made.resize(digits, '0');
  return made;
}

void JsonFields::set(std::string_view path, std::string_view value) {
  if (value.empty() || value.size() > max_field) return;
  if ((pod.empty() || guessed_pod_) && ends_in(path, pod_paths)) {
    pod = value;
    guessed_pod_ = false;
  } else if (pod.empty() && path == "logStreamName") {
    pod = pod_of_stream(value);
    guessed_pod_ = true;
  } else if (container.empty() && ends_in(path, container_paths)) {
    container = value;
  } else if (time.empty() && value.size() > 4 && is_time_path(path)) {
    time = as_time(value);
  }
}

void JsonFields::fill(const JsonFields& from, bool with_time) {
  if (pod.empty() || (guessed_pod_ && !from.guessed_pod_ && !from.pod.empty())) {
    pod = from.pod;
    guessed_pod_ = from.guessed_pod_;
  }
  if (container.empty()) container = from.container;
  if (with_time && time.empty()) time = from.time;
}

}  // namespace nccl_analyze
