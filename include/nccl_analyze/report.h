#pragma once
/// The writers. Each is a pure function onto a stream; none closes it or changes its flags for good.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "nccl_analyze/model.h"
#include "nccl_analyze/requirements.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

struct Record;

/// The version of this library, `0.1.0`.
std::string_view version();

/// Report `nccl-analyze.report` version 1 (see report.v1.schema.json). Always valid UTF-8.
void write_json(std::ostream& out, const Model& model, const Report& report);

/// `nccl-analyze.summary` version 1: lines of JSON, which SummaryReader takes back.
void write_summary(std::ostream& out, const Summary& summary);

/// Adds the pieces of what write_summary() wrote; several may stand one behind the other.
class SummaryReader {
 public:
  /// `into` outlives the reader.
  explicit SummaryReader(Summary& into);
  ~SummaryReader();
  SummaryReader(const SummaryReader&) = delete;
  SummaryReader& operator=(const SummaryReader&) = delete;

  /// Consumes bytes cut anywhere. False when they are no summary: more of them is of no use.
  bool feed(std::string_view chunk);
  /// Ends the input. Empty when all was well; else what is wrong and in which line: a part may have been added.
  std::string finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct TextOptions {
  bool color = false;
  bool verbose = false;       ///< Every communicator and every explanation.
  std::size_t columns = 100;  ///< Where lines are broken.
  /// Where a source is found, as a URL of printable ASCII, for terminals that show links (OSC 8); empty for one that is
  /// no file. Empty function: no links.
  std::function<std::string(const Source& source)> link = {};
};
/// The report for people: verdict, job, findings with evidence and fix. Control characters of the log are made visible.
void write_text(std::ostream& out, const Model& model, const Report& report, const TextOptions& options = {});

/// The report for a ticket: verdict, suspects, findings with the lines that prove them, the rest in folds. GitHub's
/// Markdown; words of the log are escaped, so that none is a link, a mention or markup.
void write_markdown(std::ostream& out, const Model& model, const Report& report);

/// The same as one HTML file that requests nothing, with the graph, a time line, and tables of ranks, settings and
/// communicators. It is whole where scripts are off; with them tables are sorted and filtered, and the graph is
/// searched.
void write_html(std::ostream& out, const Model& model, const Report& report);

/// When ranks initialised and what failed when, as Chrome's trace events, which Perfetto opens: a track for each
/// rank of each communicator, in microseconds of the clock that most of them were stamped by. Where no initialisation
/// has a time, every one that NCCL measured (2.21.5+) begins at 0.
void write_trace(std::ostream& out, const Model& model);

/// The ranks of the largest communicator as columns: host, pod, pid, GPU, state, seconds of the initialisation, last
/// call, the findings that suspect it. Columns that say nothing are left out.
void write_ranks(std::ostream& out, const Model& model, const Report& report);

/// Names of profiles with a line about each; one profile as the JSON that parse_profile() reads.
void write_profiles(std::ostream& out, std::span<const Profile> profiles);
void write_profile(std::ostream& out, const Profile& profile);

/// One JSON object and a newline: the record as an event.
void write_event(std::ostream& out, const Record& record);

/// What the picture draws between ranks.
enum class DotView : std::uint8_t {
  automatic,  ///< Rings and all connections: one edge a pair of ranks.
  rings,      ///< Links of rings alone, with their channels.
  trees,      ///< Links of trees alone, from parent to child, with their channels.
};
struct DotOptions {
  DotView view = DotView::automatic;
  /// The hosts to look inside; empty: every one. Of others only what touches these is drawn.
  std::function<bool(std::string_view host)> inside = {};
  std::size_t hosts_from = 128;  ///< So many ranks of a communicator are drawn as hosts, not one by one.
};
/// Graphviz: hosts as clusters, ranks as nodes, trees level by level, suspects marked, the verdict as title; edges by
/// transport, each with its colour, dashes, width and a letter that the legend explains. From DotOptions::hosts_from
/// ranks on a node is a host, or several when there are very many: the size of the graph is bounded whatever the job's.
/// What is left out, the graph says. The places of nodes, edges and labels are given (`layout=nop2`). Uses libcgraph,
/// whose state is process-wide: do not run concurrently with other users of it. False when the library could not build
/// the graph.
bool write_dot(std::ostream& out, const Model& model, const Report& report, const DotOptions& options = {});

/// All rules: a Markdown page, a Markdown table of id, name, severity and title, or JSON.
void write_rules_markdown(std::ostream& out);
void write_rules_table(std::ostream& out);
/// A line for each hundred of ids, with the names in it.
void write_rules_by_family(std::ostream& out);
void write_rules_json(std::ostream& out);
/// One rule in plain text.
void write_rule_text(std::ostream& out, const RuleInfo& rule);

}  // namespace nccl_analyze
