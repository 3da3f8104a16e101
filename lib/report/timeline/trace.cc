// Writes the time line in Chromium's "Trace Event Format", which Perfetto's UI and chrome://tracing read. Each rank of
// each communicator has a track of its own.

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "nccl_analyze/report.h"
#include "nccl_analyze/rule_parts.h"
#include "report/sentences/words.h"
#include "report/timeline/timeline.h"
#include "text/escape.h"
#include "text/json_writer.h"

namespace nccl_analyze {
namespace {

class TraceWriter {
 public:
  TraceWriter(std::ostream& out, const Model& model) : json_(out), model_(model), line_(timeline_of(model)) {}

  void write() {
    json_.begin_object();
    json_.begin_array("traceEvents");
    name_tracks();
    for (const InitSpan& span : line_.spans) write_span(span);
    for (const Mark& mark : line_.marks) write_mark(mark);
    json_.end();
    json_.member("displayTimeUnit", std::string_view{"ms"});
    json_.begin_object("otherData");
    json_.member("tool", std::string("nccl-analyze ").append(version()));
    json_.member("clock", clock());
    json_.member("phases",
                 std::string_view{"their lengths are measured, in NCCL's order; where each lies is not told"});
    json_.member("initialisations_without_time", line_.spans_left_out);
    json_.member("failures_without_time", line_.marks_left_out);
    json_.end();
    json_.end();
    json_.finish();
  }

 private:
  std::string_view clock() const {
    switch (line_.clock) {
      case Timeline::Clock::none:
        return "no initialisation has a time: each begins at 0";
      case Timeline::Clock::of_day:
        return line_.collected ? "of whoever collected the lines, since midnight" : "of each host, since midnight";
      case Timeline::Clock::since_1970:
        return line_.collected ? "of whoever collected the lines" : "of each host";
    }
    return {};
  }

  /// Returns the process id in the trace: the index of the process plus 1; 0 for lines without a process.
  static std::int64_t track_of(Index process) { return std::int64_t{process} + 1; }

  void begin(std::string_view phase, std::string_view name, Index process, int thread) {
    json_.begin_object(Layout::line);
    json_.member("ph", phase);
    json_.member("name", visible(name));
    json_.member("pid", track_of(process));
    json_.member("tid", thread);
  }

  void name_track(std::string_view what, const std::string& name, Index process, int thread) {
    begin("M", what, process, thread);
    json_.begin_object("args");
    json_.member("name", visible(name));
    json_.end();
    json_.end();
  }

  /// Returns the address of the process without a GPU, because a process may have several GPUs.
  std::string name_of(Index process) const {
    if (process < 0) return "no process is named";
    const Process& known = model_.processes[process];
    Address address;
    address.host = known.host;
    address.pod = known.pod;
    address.pid = known.pid;
    return address_text(address);
  }

  /// Returns the thread id that stands for a rank of a communicator in the trace. Each rank has an id of its own,
  /// because the events of one thread must not overlap. Id 0 is the process itself.
  int thread_of(const InitSpan& span) {
    return threads_.try_emplace({span.communicator, span.rank}, static_cast<int>(threads_.size()) + 1).first->second;
  }

  void name_tracks() {
    std::set<Index> processes;
    for (const Mark& mark : line_.marks) processes.insert(model_.incidents[mark.incident].process);
    for (const InitSpan& span : line_.spans) processes.insert(span.process);
    for (const Index process : processes) name_track("process_name", name_of(process), process, 0);
    for (const InitSpan& span : line_.spans)
      name_track("thread_name",
                 "communicator " + communicator_name(model_, span.communicator) + " rank " + std::to_string(span.rank),
                 span.process, thread_of(span));
  }

  void write_piece(std::string_view name, const InitSpan& span, std::int64_t from, std::int64_t length) {
    begin("X", name, span.process, thread_of(span));
    json_.member("cat", std::string_view{"init"});
    json_.member("ts", from);
    json_.member("dur", length);
  }

  void write_span(const InitSpan& span) {
    write_piece(span.open ? "init, not completed" : "init", span, span.from, span.to - span.from);
    json_.begin_object("args");
    json_.member("rank", span.rank);
    json_.member("line", place_of(model_, span.at));
    json_.end();
    json_.end();
    std::int64_t from = span.from;
    for (const auto& [name, seconds] : span.phases) {
      const std::int64_t length = std::min(static_cast<std::int64_t>(std::min(seconds, 1e9) * 1e6), span.to - from);
      write_piece(name, span, from, length);
      json_.end();
      from += length;
    }
  }

  void write_mark(const Mark& mark) {
    const Incident& incident = model_.incidents[mark.incident];
    begin("i", to_string(incident.kind), incident.process, 0);
    json_.member("cat", std::string_view{"failure"});
    json_.member("ts", mark.at);
    json_.member("s", std::string_view{"p"});
    json_.begin_object("args");
    json_.member("message", visible(incident.message));
    if (!incident.evidence.lines.empty()) json_.member("line", place_of(model_, incident.evidence.lines.front()));
    json_.member("times", incident.evidence.count);
    json_.end();
    json_.end();
  }

  JsonWriter json_;
  const Model& model_;
  const Timeline line_;
  std::map<std::pair<Index, int>, int> threads_;  ///< Thread ids by communicator and rank.
};

}  // namespace

void write_trace(std::ostream& out, const Model& model) { TraceWriter(out, model).write(); }

}  // namespace nccl_analyze
