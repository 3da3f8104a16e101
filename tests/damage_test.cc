// Tests that the facts of a damaged log are a subset of the facts of the intact log: damage never creates a connection,
// a ring, a tree, a process, a setting or an error.

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

Model model_of(const Lines& lines) {
  ModelBuilder builder;
  Parser parser(SourceId{0}, [&](const Record& record) { builder.add(record); });
  for (const std::string& line : lines) {
    parser.feed(line);
    parser.feed("\n");
  }
  parser.finish();
  builder.add_source(SourceId{0}, "input.log", parser.stats());
  return std::move(builder).build();
}

std::string join(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts) text += part + ' ';
  return text;
}

/// Returns all facts that a report would state, as text. Processes without a host name are skipped.
std::set<std::string> facts_of(const Model& model) {
  std::set<std::string> facts;
  for (const Process& process : model.processes) {
    if (process.host.empty()) continue;
    const std::string name = process.host + ":" + std::to_string(process.pid);
    facts.insert(join({"process", name}));
    if (!process.version.empty()) facts.insert(join({"version", name, process.version.str()}));
    if (!process.network.empty()) facts.insert(join({"network", name, process.network.str()}));
    if (!process.bootstrap_interface.empty())
      facts.insert(join({"interface", name, process.bootstrap_interface.str()}));
    if (!process.bootstrap_address.empty()) facts.insert(join({"address", name, process.bootstrap_address.str()}));
    for (const auto& [variable, value] : process.env)
      facts.insert(join({"env", name, variable.str(), value.value.str()}));
  }
  for (const Communicator& comm : model.communicators) {
    for (const Connection& c : comm.connections)
      facts.insert(join({"connection", comm.transports[c.transport], std::to_string(c.from), std::to_string(c.to),
                         std::to_string(c.channel), std::to_string(c.connection)}));
    for (const Ring& ring : comm.rings) {
      if (!ring.complete) continue;
      std::string text = join({"ring", std::to_string(ring.channel)});
      for (const int rank : ring.order) text += std::to_string(rank) + ' ';
      facts.insert(text);
    }
    for (const Tree& tree : comm.trees)
      for (const auto& [parent, child] : tree.links)
        facts.insert(join({"tree", std::to_string(tree.channel), std::to_string(parent), std::to_string(child)}));
    if (comm.nranks >= 0) facts.insert(join({"nranks", std::to_string(comm.nranks)}));
    if (comm.channels >= 0) facts.insert(join({"channels", std::to_string(comm.channels)}));
  }
  for (const Finding& finding : analyze(model).findings)
    if (finding.severity() == Severity::error) facts.insert(join({"error", std::string(finding.rule->name)}));
  return facts;
}

/// A kind of damage to a line. If `uses_next`, the damage consumes the next line too.
struct Kind {
  std::string_view name;
  bool uses_next;
  void (*apply)(const std::string& line, const std::string& next, std::size_t at, Lines& out);
};
constexpr Kind kinds[] = {
    {"cut", false, [](const auto& line, const auto&, auto at, auto& out) { out.push_back(line.substr(0, at)); }},
    {"without its head", false,
     [](const auto& line, const auto&, auto at, auto& out) { out.push_back(line.substr(at)); }},
    {"torn by the next", true,
     [](const auto& line, const auto& next, auto at, auto& out) {
       out.push_back(line.substr(0, at) + next);
       out.push_back(line.substr(at));
     }},
    {"torn by the next, its rest lost", true,
     [](const auto& line, const auto& next, auto at, auto& out) { out.push_back(line.substr(0, at) + next); }},
    {"glued to the next", true,
     [](const auto& line, const auto& next, auto, auto& out) {
       out.push_back(line + next);
       out.push_back("");
     }},
    {"overwritten by the next", true,
     [](const auto& line, const auto& next, auto, auto& out) {
       out.push_back(next);  // The end of a longer line remains after the newline.
       if (line.size() > next.size() + 1) out.push_back(line.substr(next.size() + 1));
     }},
};

Lines damaged(const Lines& lines, const Kind& kind, unsigned seed) {
  std::mt19937 random(seed);  // Unlike distributions, mt19937 is portable.
  Lines out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool hit = random() % 12 == 0 && lines[i].size() > 10 && i + 1 < lines.size();
    const std::size_t at = hit ? 1 + random() % (lines[i].size() - 1) : 0;
    if (!hit) {
      out.push_back(lines[i]);
      continue;
    }
    kind.apply(lines[i], lines[i + 1], at, out);
    if (kind.uses_next) ++i;
  }
  return out;
}

Lines wrapped(const Lines& lines, std::size_t width) {
  Lines out;
  for (const std::string& line : lines)
    for (std::size_t from = 0; from == 0 || from < line.size(); from += width) out.push_back(line.substr(from, width));
  return out;
}

/// Whether the fact is a setting with a truncated value: a line that was cut within the value is still a valid line.
bool is_cut_setting(const std::string& fact, const std::set<std::string>& whole) {
  const auto next = whole.lower_bound(fact.substr(0, fact.size() - 1));
  return fact.starts_with("env ") && next != whole.end() && next->starts_with(fact.substr(0, fact.size() - 1));
}

void check_part_of(const Lines& lines, const std::set<std::string>& whole) {
  for (const std::string& fact : facts_of(model_of(lines)))
    if (!whole.contains(fact) && !is_cut_setting(fact, whole)) FAIL_CHECK(fact);
}

}  // namespace

TEST_CASE("damage: no damaged log states what the whole one does not") {
  for (const char* const name : {"jobs/split-2x4", "jobs/healthy-1x4-nvlink", "jobs/efa-fallback"}) {
    const Lines lines = lines_of(read_file(std::filesystem::path(NCCL_ANALYZE_TESTDATA) / name / "input.log"));
    const std::set<std::string> whole = facts_of(model_of(lines));
    REQUIRE(whole.size() > 15);
    for (const Kind& kind : kinds) {
      for (unsigned seed = 0; seed < 12; ++seed) {
        INFO(name << ", " << kind.name << ", seed " << seed);
        check_part_of(damaged(lines, kind, seed), whole);
      }
    }
    for (const std::size_t width : {std::size_t{80}, std::size_t{100}, std::size_t{132}}) {
      INFO(name << " wrapped at " << width);
      check_part_of(wrapped(lines, width), whole);
    }
  }
}

}  // namespace nccl_analyze
