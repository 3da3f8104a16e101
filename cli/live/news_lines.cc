// Each line begins with its kind and the time of day in UTC.

#include "cli/live/news_lines.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <ctime>
#include <functional>
#include <optional>
#include <sstream>
#include <utility>

#include "cli/live/job_state.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/rule_parts.h"
#include "report/json/findings.h"
#include "text/escape.h"
#include "text/json_writer.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_groups = 64, max_ranks_text = 1000;

std::string utc_time() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  std::array<char, 32> text{};
  if (::gmtime_r(&now, &utc) == nullptr) return {};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

std::string line_of(std::string_view kind, const std::function<void(JsonWriter&)>& write_members) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object(Layout::line);
  json.member("news", kind);
  json.member("time", known(std::string_view(utc_time())));
  write_members(json);
  json.end();
  json.finish();
  std::string line = std::move(out).str();
  line.pop_back();  // removes the newline of finish()
  return line;
}

void write_group(JsonWriter& json, const Model& model, const StateGroup& group) {
  json.begin_object();
  json.member("communicators", group.communicators);
  // The group is named after its first communicator.
  json.member("name", communicator_name(model, group.first));
  json.member("ranks", group.ranks);
  json.member("started", group.started);
  json.member("complete", group.complete);
  json.member("failed", group.failed);
  json.member("aborted", group.aborted);
  json.member("destroyed", group.destroyed);
  json.member("without_line", known(truncated(rank_set(group.without_line), max_ranks_text)));
  json.end();
}

void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  json.begin_array(name);
  for (const std::string& text : texts) json.value(text);
  json.end();
}

}  // namespace

std::string state_news(const Model& model) {
  return line_of("state", [&](JsonWriter& json) {
    json.member("processes", model.processes.size());
    json.member("ready", is_ready(model));
    const std::vector<StateGroup> groups = group_states(model);
    json.begin_array("states");
    for (std::size_t i = 0; i < std::min(groups.size(), max_groups); ++i) write_group(json, model, groups[i]);
    json.end();
    write_texts(json, "calls", describe_calls(model));
  });
}

std::string finding_news(const Model& model, const Finding& finding) {
  return line_of("finding", [&](JsonWriter& json) {
    json.member("provisional", finding.is_provisional());
    json.member("place", known(std::string_view(describe_place(model, finding))));
    const auto first = std::ranges::find_if(finding.evidence.lines, [](const LineRef& at) { return at.line != 0; });
    const bool found = first != finding.evidence.lines.end();
    const auto source = found ? static_cast<std::size_t>(first->source) : model.sources.size();
    json.member("path", source < model.sources.size() ? known(std::string_view(model.sources[source].name))
                                                      : std::optional<std::string_view>{});
    json.key("finding");
    write_finding(json, model, finding, Layout::line);
  });
}

std::string stall_news(std::chrono::milliseconds silence, const std::vector<std::string>& waits) {
  return line_of("stall", [&](JsonWriter& json) {
    json.member("seconds", std::chrono::duration<double>(silence).count());
    write_texts(json, "waits", waits);
  });
}

std::string end_news(const Model& model, const Report& report, std::string_view reason) {
  return line_of("end", [&](JsonWriter& json) {
    const Verdict verdict = verdict_of(model, report);
    json.member("reason", reason);
    json.member("status", to_string(verdict.status));
    json.member("headline", verdict.headline);
  });
}

}  // namespace nccl_analyze
