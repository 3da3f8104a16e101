#include "rule_golden.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

namespace {

using Json = nlohmann::ordered_json;

bool says_nothing(const Json& value) {
  return value.is_null() || (value.is_boolean() && !value.get<bool>()) || (value.is_structured() && value.empty());
}

Json without_empty_members(Json object) {
  for (auto member = object.begin(); member != object.end();)
    member = says_nothing(*member) ? object.erase(member) : std::next(member);
  return object;
}

std::string in_one_line(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

bool is_object(const Json& value) { return value.is_object(); }

bool holds_objects(const Json& value) {
  return value.is_structured() && std::ranges::any_of(value, [](const Json& one) {
           return is_object(one) || (one.is_array() && std::ranges::any_of(one, is_object));
         });
}

/// What holds no objects stays on one line; of all else, each member or element has a line.
void write_value(std::ostream& out, const Json& value, const std::string& indent) {
  if (!holds_objects(value)) {
    out << in_one_line(value);
    return;
  }
  const std::string inner = indent + "  ";
  const char* separator = "\n";
  out << (is_object(value) ? '{' : '[');
  for (const auto& [key, member] : value.items()) {
    out << std::exchange(separator, ",\n") << inner;
    if (is_object(value)) out << in_one_line(key) << ": ";
    write_value(out, member, inner);
  }
  out << '\n' << indent << (is_object(value) ? '}' : ']');
}

struct Golden {
  std::string_view rule;
  Json own = Json::array(), others = Json::array();

  /// `cause`: the finding of which these are consequences; empty for the others.
  void take(const Json& findings, const std::string& cause) {
    for (const Json& finding : findings) {
      const auto name = finding.at("name").get<std::string>();
      const std::string words = finding.at("rule").get<std::string>() + ' ' + finding.at("severity").get<std::string>();
      if (name == rule)
        own.push_back(own_finding(finding, cause));
      else if (!words.ends_with(" info"))
        others.push_back(cause.empty() ? words : words + ", follows from " + cause);
      take(finding.at("consequences"), finding.at("rule").get<std::string>());
    }
  }

 private:
  /// A step in one line: the beginning of its text, what in the log calls for it (`because`), its command.
  static Json step_text(const Json& step) {
    constexpr std::size_t most = 60;
    std::string text = step.at("text").get<std::string>();
    text.resize(std::min({text.size(), text.find('\n'), most}));
    if (step.at("because").is_string()) text += " | because: " + step.at("because").get<std::string>();
    if (step.at("command").is_string()) text += " | run: " + step.at("command").get<std::string>();
    return text;
  }

  static Json own_finding(Json finding, const std::string& cause) {
    const RuleInfo& info = find_rule(finding.at("name").get<std::string>())->info;
    if (finding.at("title") == info.words->title) finding.erase("title");
    for (const char* const key : {"name", "explanation", "fix", "consequences", "consequence", "rank_list"})
      finding.erase(key);
    for (Json& line : finding["evidence"]) line.erase("meaning");
    for (Json& step : finding["steps"]) step = step_text(step);
    if (!cause.empty()) finding["follows_from"] = cause;
    for (Json& suspect : finding["suspects"]) suspect = without_empty_members(std::move(suspect));
    return without_empty_members(std::move(finding));
  }
};

/// Lines of warnings that no finding reports; only the text report lists them.
Json unexplained_lines(const Model& model, const Report& report) {
  Json lines = Json::array();
  for (const Index incident : report.unexplained_warnings)
    for (const LineRef at : model.incidents[static_cast<std::size_t>(incident)].evidence.lines)
      lines.push_back(at.line);
  return lines;
}

Json failed_checks(const Json& checks) {
  Json failed = Json::array();
  for (const Json& check : checks)
    if (check.at("status") != "pass")
      failed.push_back(check.at("check").get<std::string>() + ' ' + check.at("status").get<std::string>());
  return failed;
}

/// The headline only if it is that of the rule.
Json verdict_of(Json verdict, const Report& report, const RuleInfo& rule) {
  if (report.findings.empty() || report.findings.front().rule != &rule) verdict.erase("headline");
  Json lines = Json::array();
  for (const Json& at : verdict.at("outcome_lines"))
    lines.push_back(in_one_line(at.at("source")) + ':' + in_one_line(at.at("line")));
  verdict["outcome_lines"] = std::move(lines);
  return without_empty_members(std::move(verdict));
}

Json of_rule(const Json& rows, const std::string& id) {
  Json own = Json::array();
  for (const Json& row : rows)
    if (row.at("rule") == id) own.push_back(row);
  return own;
}

}  // namespace

std::string rule_golden(const Model& model, const Report& report, std::string_view rule) {
  std::ostringstream written;
  write_json(written, model, report);
  const Json whole = Json::parse(written.str());
  const RuleInfo& info = find_rule(rule)->info;
  Golden golden{.rule = rule};
  golden.take(whole.at("findings"), {});
  const Json members =
      without_empty_members({{"verdict", verdict_of(whole.at("verdict"), report, info)},
                             {"others", std::move(golden.others)},
                             {"checks", failed_checks(whole.at("checks"))},
                             {"not_evaluated", of_rule(whole.at("not_evaluated"), std::string(info.id))},
                             {"unexplained_warnings", unexplained_lines(model, report)},
                             {"acceptance", info.id.starts_with("NCA8") ? whole.value("acceptance", Json()) : Json()},
                             {"findings", std::move(golden.own)}});
  std::ostringstream out;
  write_value(out, members, {});
  out << '\n';
  return out.str();
}

}  // namespace nccl_analyze
